import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listBlockTransactions } from '../../../contract/evm/blocks.ts'
import { getTransaction, listTransactions, type EvmTransaction } from '../../../contract/evm/transactions.ts'
import { listPageSize, type BlocksFrom } from './blocks.ts'
import { liveHeads } from '../live-heads.ts'
import { immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

const exportPageSize = 100

const range = (from: BlocksFrom) => ({
  ...(from.height !== undefined && { endBlock: from.height + 1 }),
  ...(from.before !== undefined && { endTimestamp: from.before }),
})

/** The transactions of a chain, latest first, page by page. */
export const transactionsQuery = (chainId: string, from: BlocksFrom = {}) =>
  infiniteQueryOptions({
    queryKey: ['transactions', chainId, from.height ?? null, from.before ?? null],
    queryFn: async ({ pageParam }) => {
      // What had arrived live before this page was asked for: later arrivals are what the list lacks.
      const arrived = liveHeads.get().get(chainId)?.transactions ?? 0
      const page = await call(listTransactions, {
        params: { chainId },
        query: { pageSize: listPageSize, ...range(from), ...(pageParam && { pageToken: pageParam }) },
      })
      return { ...page, arrived }
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
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

/** Every transaction of a list, page by page, for exports. */
export async function* allTransactions(
  chainId: string,
  from: BlocksFrom,
  signal: AbortSignal,
): AsyncGenerator<readonly EvmTransaction[]> {
  let pageToken: string | undefined
  do {
    const page = await call(listTransactions, {
      params: { chainId },
      query: { pageSize: exportPageSize, ...range(from), ...(pageToken && { pageToken }) },
      signal,
    })
    yield page.transactions
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}

/** Every transaction of a block, page by page, for exports. */
export async function* allBlockTransactions(
  chainId: string,
  blockId: string,
  signal: AbortSignal,
): AsyncGenerator<readonly EvmTransaction[]> {
  let pageToken: string | undefined
  do {
    const page = await call(listBlockTransactions, {
      params: { chainId, blockId },
      query: { pageSize: exportPageSize, ...(pageToken && { pageToken }) },
      signal,
    })
    yield page.transactions
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}
