import { z } from 'zod'

/** A URL setting with one of the given protocols, such as `https:`. */
export const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })

/** The URL of a PostgreSQL database, which may list several hosts: postgres://user@one:5432,two:5432/name */
export const databaseUrl = z.string().refine(
  (text) => {
    const [, before, hosts = '', rest] = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/s.exec(text) ?? []
    return before !== undefined && hosts.split(',').every((host) => URL.canParse(before + host + rest))
  },
  { error: 'a URL that starts with postgres:// or postgresql://, with one host or several after commas' },
)
