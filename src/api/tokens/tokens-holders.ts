import { infiniteQueryOptions } from '@tanstack/react-query'
import { listHolders } from '../../../contract/metrics/metrics.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { call } from '../session.ts'
import { keyOf, requestOf, type TokenOf } from './tokens.ts'
import { walk } from '../walk.ts'

const pageSize = 200
/** The most that the interface gives at once: both windows of a comparison are read whole. */
const wholePageSize = 5_000

/** Who held more than `threshold` (smallest unit) between two moments; open ends are left out. */
export type HoldersWindow = {
  threshold: string
  startTimestamp?: number | undefined
  endTimestamp?: number | undefined
}

/** An address of the window with its newest balance, which may be 0 or below the threshold by now. */
export type WindowHolder = ResponseOf<typeof listHolders>['addresses'][number]

const queryOf = ({ threshold, startTimestamp, endTimestamp }: HoldersWindow) => ({
  threshold,
  ...(startTimestamp !== undefined && { startTimestamp }),
  ...(endTimestamp !== undefined && { endTimestamp }),
})

/** The holders of a window, in the order of the service, page by page. */
export const windowHoldersQuery = (chainId: string, of: TokenOf, window: HoldersWindow) =>
  infiniteQueryOptions({
    queryKey: [...keyOf('window-holders', chainId, of), queryOf(window)],
    queryFn: ({ pageParam, signal }) => {
      const { params, query } = requestOf(chainId, of)
      return call(listHolders, {
        params,
        query: { ...query, pageSize, ...queryOf(window), ...(pageParam && { pageToken: pageParam }) },
        signal,
      })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 30_000,
  })

/** Every holder of a window, page by page. */
export function allWindowHolders(
  chainId: string,
  of: TokenOf,
  window: HoldersWindow,
  signal: AbortSignal,
): AsyncIterable<readonly WindowHolder[]> {
  const { params, query } = requestOf(chainId, of)
  return walk(
    listHolders,
    { params, query: { ...query, pageSize: wholePageSize, ...queryOf(window) }, signal },
    (page) => page.addresses,
  )
}
