import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import {
  getPrimaryTransaction,
  listPrimaryTransactions,
  listPrimaryTransactionsByType,
  type PrimaryTxType,
} from '../../../contract/primary/transactions.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import type { NetworkName } from '../current.ts'
import { listQuery } from '../list.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

/** The most transactions that are counted above a list: one page. */
const countedRows = 50

export type PrimaryTransactionDetails = ResponseOf<typeof getPrimaryTransaction>

/** Filters of transactions (docs/api.md, Primary network). Times are Unix seconds, both exclusive. */
export type PrimaryTxFilters = {
  addresses?: string | undefined
  l1ValidationId?: string | undefined
  subnetId?: string | undefined
  types?: readonly PrimaryTxType[] | undefined
  after?: number | undefined
  before?: number | undefined
}

const queryOf = ({ addresses, l1ValidationId, subnetId, types, after, before }: PrimaryTxFilters) => ({
  addresses,
  l1ValidationId,
  subnetId,
  txTypes: types?.length ? [...types] : undefined,
  startTimestamp: after,
  endTimestamp: before,
})

/** Whether filters are by type, time and subnet over the whole chain, which is an operation of its own. */
export const isByType = ({
  addresses,
  l1ValidationId,
  subnetId,
  types,
  after,
  before,
}: PrimaryTxFilters): boolean =>
  addresses === undefined &&
  l1ValidationId === undefined &&
  [types?.length ? types : undefined, after, before, subnetId].some((filter) => filter !== undefined)

/** The transactions of a chain, latest first. */
export const primaryTransactionsQuery = (
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
  filters: PrimaryTxFilters = {},
) =>
  listQuery({
    key: ['primary-transactions', network, blockchainId, queryOf(filters)],
    read: (paging, signal) => {
      const params = { network, blockchainId }
      const { addresses, l1ValidationId, subnetId, ...common } = queryOf(filters)
      return isByType(filters)
        ? call(listPrimaryTransactionsByType, { params, query: { ...paging, ...common, subnetId }, signal })
        : call(listPrimaryTransactions, {
            params,
            query: { ...paging, ...common, addresses, l1ValidationId },
            signal,
          })
    },
    rowsOf: (page) => page.transactions,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  })

/**
 * The number of transactions above one of a list, up to one page; refetched for each head, because announced blocks
 * may be empty.
 */
export const newerTransactionsQuery = (
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
  top: string,
  head: string,
) =>
  queryOptions({
    queryKey: ['newer-primary-transactions', network, blockchainId, top, head],
    queryFn: async () => {
      const { transactions } = await call(listPrimaryTransactions, {
        params: { network, blockchainId },
        query: { pageSize: countedRows },
      })
      const at = transactions.findIndex((tx) => tx.txHash === top)
      return at < 0 ? transactions.length : at
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })

/** One transaction with its UTXOs and details and, if the deployment has them, its bytes. */
export const primaryTransactionQuery = (
  network: NetworkName,
  blockchainId: PrimaryChainAlias,
  txHash: string,
) =>
  queryOptions({
    queryKey: ['primary-transaction', network, blockchainId, txHash],
    queryFn: () => call(getPrimaryTransaction, { params: { network, blockchainId, txHash } }),
    // Its outputs may be spent later, but the transaction itself is final.
    staleTime: immutableStaleTime,
  })
