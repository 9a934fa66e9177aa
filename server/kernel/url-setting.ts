import { z } from 'zod'

/** A URL setting with one of the given protocols, such as `https:`. */
export const url = (...protocols: string[]) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    error: `a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })
