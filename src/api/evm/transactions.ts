import { queryOptions } from '@tanstack/react-query'
import { getTransaction, listTransactions } from '../../../contract/evm/transactions.ts'
import { listQuery } from '../list.ts'
import { rangeOf, type BlocksFrom } from './list-start.ts'
import { liveHeads } from '../live-heads.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

/** The transactions of a chain, latest first. */
export const transactionsQuery = (chainId: string, from: BlocksFrom = {}) =>
  listQuery({
    key: ['transactions', chainId, from.height, from.before],
    read: async (paging, signal) => {
      // What had arrived live before this page was asked for: later arrivals are what the list lacks.
      const arrived = liveHeads.get().get(chainId)?.transactions ?? 0
      const query = { ...paging, ...rangeOf(from) }
      return { ...(await call(listTransactions, { params: { chainId }, query, signal })), arrived }
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
    staleTime: (query) =>
      query.state.data?.nativeTransaction.isFinalized === true ? immutableStaleTime : 5_000,
    refetchInterval: ({ state: { data } }) => data?.nativeTransaction.isSettled === false && 5_000,
  })
