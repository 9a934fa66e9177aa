import { useSearchParams } from 'react-router'
import { useHeldForm } from '../../components/use-held-form.ts'
import type { ApiOperation } from './document.ts'
import type { Values } from './request.ts'

/** Longer texts stay out of the URL. */
const maxInLink = 2_000

/** The values that a link carries, in the order of the fields. */
function linkedOf(operation: ApiOperation, valueOf: (key: string) => string | null | undefined): Values {
  const entries = operation.fields.flatMap(({ key }) => {
    const value = valueOf(key) ?? ''
    return value === '' || value.length > maxInLink ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

/** The entered values of an operation's form, which are kept in the URL. */
export function useValues(operation: ApiOperation): [Values, (key: string, text: string) => void] {
  const [search, setSearch] = useSearchParams()
  const linked = (values: Values): Values => linkedOf(operation, (key) => values[key])
  const [values, setValues] = useHeldForm<Values>(
    linkedOf(operation, (key) => search.get(key)),
    (next) => JSON.stringify(linked(next)),
    (next) => {
      const query = new URLSearchParams(search)
      for (const { key } of operation.fields) query.delete(key)
      for (const [key, value] of Object.entries(linked(next))) query.set(key, value)
      setSearch(query, { replace: true, preventScrollReset: true })
    },
  )
  return [values, (key, text) => setValues((now) => ({ ...now, [key]: text }))]
}
