import { listHolders } from '../../../contract/metrics/metrics.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { listQuery } from '../list.ts'
import { call } from '../session.ts'
import { keyOf, requestOf, type TokenOf } from './tokens.ts'

/** Addresses that held more than `threshold` (smallest unit) between two times; an absent end is open. */
export type HoldersWindow = {
  threshold: string
  startTimestamp?: number | undefined
  endTimestamp?: number | undefined
}

/** An address of the window with its current balance, which may be 0 or below the threshold. */
export type WindowHolders = ResponseOf<typeof listHolders>
export type WindowHolder = WindowHolders['addresses'][number]

/** The holders within a window, in the order of the service. */
export const windowHoldersQuery = (chainId: string, of: TokenOf, window: HoldersWindow) => {
  const { params, query } = requestOf(chainId, of)
  return listQuery({
    key: [...keyOf('window-holders', chainId, of), window],
    read: (paging, signal) =>
      call(listHolders, { params, query: { ...query, ...paging, ...window }, signal }),
    rowsOf: (page) => page.addresses,
    // The page sorts what fits into one page of the list.
    pageSize: 1_000,
    // The API's largest page: a comparison reads both windows whole.
    largePageSize: 5_000,
    cancels: true,
    staleTime: 30_000,
  })
}
