import { useQuery } from '@tanstack/react-query'
import { queryClient } from '../../../api/query-client.ts'
import {
  type HoldersWindow,
  type WindowHolder,
  windowHoldersQuery,
} from '../../../api/tokens/tokens-holders.ts'
import { keyOf, type TokenOf } from '../../../api/tokens/tokens.ts'
import { useStore } from '../../../components/hooks.ts'
import { createStore } from '../../../lib/storage/store.ts'
import { compareWindows, type Comparison } from './windows.ts'

/** How many holders have been read of either window; one comparison runs at a time. */
const progress = createStore({ first: 0, second: 0 })

type ComparisonState =
  | { state: 'running'; first: number; second: number; cancel: () => void }
  | { state: 'stopped'; start: () => void }
  | { state: 'failed'; error: Error; start: () => void }
  | { state: 'done'; comparison: Comparison }

/**
 * Reads two windows to their last page and compares them. It says how far it is and can be cancelled;
 * leaving the page cancels it too.
 */
export function useComparison(
  chainId: string,
  of: TokenOf,
  first: HoldersWindow,
  second: HoldersWindow,
): ComparisonState {
  const queryKey = [...keyOf('window-comparison', chainId, of), first, second]
  const read = useStore(progress)
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Comparison> => {
      progress.set({ first: 0, second: 0 })
      const whole = async (name: 'first' | 'second', window: HoldersWindow): Promise<WindowHolder[]> => {
        const rows: WindowHolder[] = []
        for await (const page of windowHoldersQuery(chainId, of, window).all(signal)) {
          rows.push(...page)
          progress.set((now) => ({ ...now, [name]: rows.length }))
        }
        return rows
      }
      return compareWindows(await whole('first', first), await whole('second', second))
    },
    staleTime: 5 * 60_000,
  })
  const start = (): void => void query.refetch()
  if (query.fetchStatus === 'fetching' && !query.data)
    return {
      state: 'running',
      ...read,
      cancel: () => void queryClient.cancelQueries({ queryKey, exact: true }),
    }
  if (query.data) return { state: 'done', comparison: query.data }
  if (query.error) return { state: 'failed', error: query.error, start }
  return { state: 'stopped', start }
}
