import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { readSearch, writeSearch } from '../lib/search-params.ts'

/**
 * The state of a page, kept in its URL. A change replaces the entry in the history unless it is a step
 * that Back should undo (`push`), and leaves the scroll where it is.
 */
export function useSearchState<S extends z.ZodObject>(
  schema: S,
): [z.output<S>, (patch: Partial<z.output<S>>, options?: { push?: boolean }) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (patch: Partial<z.output<S>>, options: { push?: boolean } = {}): void =>
    setSearch((now) => writeSearch(schema, now, patch), {
      replace: options.push !== true,
      preventScrollReset: true,
    })
  return [readSearch(schema, search), change]
}
