import { useSearchParams } from 'react-router'
import type * as z from 'zod/mini'
import { readSearch, writeSearch } from '../lib/search-params.ts'

/**
 * The state of a page, stored in its URL. A change replaces the history entry unless Back should undo it (`push`),
 * and keeps the scroll position.
 */
export function useSearchState<S extends z.ZodMiniObject>(
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
