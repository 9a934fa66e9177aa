import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import {
  getPrimaryTransaction,
  listPrimaryTransactions,
  type PrimaryTxType,
} from '../../../contract/primary/transactions.ts'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import { listPageSize } from '../evm/blocks.ts'
import type { NetworkName } from '../current.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'
import { walk } from '../walk.ts'

const exportPageSize = 100

export type PrimaryTransactionDetails = ResponseOf<typeof getPrimaryTransaction>

/**
 * Which transactions (docs/api.md, Primary network): types and times need addresses or
 * an L1 validation. Times are Unix seconds, both exclusive.
 */
export type PrimaryTxFilters = {
  addresses?: string | undefined
  l1ValidationId?: string | undefined
  types?: readonly PrimaryTxType[] | undefined
  after?: number | undefined
  before?: number | undefined
}

const queryOf = ({ addresses, l1ValidationId, types, after, before }: PrimaryTxFilters) => ({
  ...(addresses !== undefined && { addresses }),
  ...(l1ValidationId !== undefined && { l1ValidationId }),
  ...(types !== undefined && types.length > 0 && { txTypes: [...types] }),
  ...(after !== undefined && { startTimestamp: after }),
  ...(before !== undefined && { endTimestamp: before }),
})

/** The transactions of a chain, latest first, page by page. */
export const primaryTransactionsQuery = (
  network: NetworkName,
  blockchainId: ChainAlias,
  filters: PrimaryTxFilters = {},
) =>
  infiniteQueryOptions({
    queryKey: ['primary-transactions', network, blockchainId, queryOf(filters)],
    queryFn: ({ pageParam }) =>
      call(listPrimaryTransactions, {
        params: { network, blockchainId },
        query: { pageSize: listPageSize, ...queryOf(filters), ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })

/**
 * How many transactions stand above one of a list, asked anew for each head: blocks are announced, and a
 * block need not hold a transaction. Counts up to one page.
 */
export const newerTransactionsQuery = (
  network: NetworkName,
  blockchainId: ChainAlias,
  top: string,
  head: string,
) =>
  queryOptions({
    queryKey: ['newer-primary-transactions', network, blockchainId, top, head],
    queryFn: async () => {
      const { transactions } = await call(listPrimaryTransactions, {
        params: { network, blockchainId },
        query: { pageSize: listPageSize },
      })
      const at = transactions.findIndex((tx) => tx.txHash === top)
      return at < 0 ? transactions.length : at
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })

/** One transaction with its UTXOs, details and, where the deployment has them, its bytes. */
export const primaryTransactionQuery = (network: NetworkName, blockchainId: ChainAlias, txHash: string) =>
  queryOptions({
    queryKey: ['primary-transaction', network, blockchainId, txHash],
    queryFn: () => call(getPrimaryTransaction, { params: { network, blockchainId, txHash } }),
    // Its outputs may be spent later: what is final is the transaction, not who consumed them.
    staleTime: immutableStaleTime,
  })

/** Every transaction of a list, page by page, for exports. */
export const allPrimaryTransactions = (
  network: NetworkName,
  blockchainId: ChainAlias,
  filters: PrimaryTxFilters,
  signal: AbortSignal,
) =>
  walk(
    listPrimaryTransactions,
    {
      params: { network, blockchainId },
      query: { pageSize: exportPageSize, ...queryOf(filters) },
      signal,
    },
    (page) => page.transactions,
  )
