import { queryOptions } from '@tanstack/react-query'
import { getTransactionChanges } from '../../../contract/evm/transaction-changes.ts'
import { getTransactionEnvelope } from '../../../contract/evm/transaction-envelope.ts'
import { getTransactionCalls } from '../../../contract/evm/transaction-calls.ts'
import { getTransactionFailure } from '../../../contract/evm/transaction-failure.ts'
import {
  getTransaction,
  listTransactions,
  type TransactionDetails,
} from '../../../contract/evm/transactions.ts'
import type { Currency } from '../tokens/balances-currency.ts'
import type { QueryOf } from '../../../contract/base/operation.ts'
import { listQuery } from '../list.ts'
import { rangeOf, type BlocksFrom } from './list-start.ts'
import { immutableStaleTime, staleTimeOf } from '../query-client.ts'
import { call } from '../session.ts'

/** What the transactions of a chain are narrowed to. */
export type TransactionsFilter = Pick<
  QueryOf<typeof listTransactions>,
  'txStatus' | 'methodHash' | 'fromAddress' | 'toAddress'
>

/** The transactions of a chain, latest first: all, or those of a filter. */
export const transactionsQuery = (chainId: string, from: BlocksFrom = {}, filter: TransactionsFilter = {}) =>
  listQuery({
    key: ['transactions', chainId, from.height, from.before, filter],
    read: async (paging, signal) => {
      const query = { ...paging, ...rangeOf(from), ...filter }
      return call(listTransactions, { params: { chainId }, query, signal })
    },
    rowsOf: (page) => page.transactions,
    staleTime: Infinity,
  })

/** The newest few transactions of a chain. */
export const latestTransactionsQuery = (chainId: string, count: number) =>
  queryOptions({
    queryKey: ['latest-transactions', chainId, count],
    queryFn: async () =>
      (await call(listTransactions, { params: { chainId }, query: { pageSize: count } })).transactions,
    staleTime: 4_000,
  })

/** One transaction with its receipt, logs, transfers and internal calls. */
export const transactionQuery = (chainId: string, txHash: string) =>
  queryOptions({
    queryKey: ['transaction', chainId, txHash.toLowerCase()],
    queryFn: () => call(getTransaction, { params: { chainId, txHash } }),
    staleTime: (query) => staleTimeOf(query.state.data?.nativeTransaction.isFinalized),
    refetchInterval: ({ state: { data } }) => data?.nativeTransaction.isSettled === false && 5_000,
  })

/** Why a transaction failed; asked for failed ones only. */
export const transactionFailureQuery = (
  { nativeTransaction: { txHash, isFinalized } }: TransactionDetails,
  chainId: string,
) =>
  queryOptions({
    queryKey: ['transaction-failure', chainId, txHash],
    queryFn: () => call(getTransactionFailure, { params: { chainId, txHash } }),
    staleTime: staleTimeOf(isFinalized),
  })

/** The arguments and results of a transaction's calls. */
export const transactionCallsQuery = (
  { nativeTransaction: { txHash, isFinalized } }: TransactionDetails,
  chainId: string,
) =>
  queryOptions({
    queryKey: ['transaction-calls', chainId, txHash],
    queryFn: () => call(getTransactionCalls, { params: { chainId, txHash } }),
    staleTime: staleTimeOf(isFinalized),
  })

/** The balances that a transaction changed. */
export const transactionChangesQuery = (chainId: string, txHash: string, currency: Currency) =>
  queryOptions({
    queryKey: ['transaction-changes', chainId, txHash, currency],
    queryFn: () => call(getTransactionChanges, { params: { chainId, txHash }, query: { currency } }),
    staleTime: 60_000,
  })

/** The access list, blobs and authorizations of a transaction: they are part of what its hash is made of. */
export const transactionEnvelopeQuery = (chainId: string, txHash: string) =>
  queryOptions({
    queryKey: ['transaction-envelope', chainId, txHash],
    queryFn: () => call(getTransactionEnvelope, { params: { chainId, txHash } }),
    staleTime: immutableStaleTime,
  })
