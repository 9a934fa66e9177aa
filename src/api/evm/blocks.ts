import { queryOptions } from '@tanstack/react-query'
import { getBlock, listBlocks, listBlockTransactions } from '../../../contract/evm/blocks.ts'
import { listQuery } from '../list.ts'
import { rangeOf, type BlocksFrom } from './list-start.ts'
import { staleTimeOf } from '../query-client.ts'
import { call } from '../session.ts'

/** The blocks of a chain, latest first. */
export const blocksQuery = (chainId: string, from: BlocksFrom = {}) =>
  listQuery({
    key: ['blocks', chainId, from.height, from.before],
    read: (paging, signal) =>
      call(listBlocks, { params: { chainId }, query: { ...paging, ...rangeOf(from) }, signal }),
    rowsOf: (page) => page.blocks,
    staleTime: Infinity,
  })

/** The newest few blocks of a chain. */
export const latestBlocksQuery = (chainId: string, count: number) =>
  queryOptions({
    queryKey: ['latest-blocks', chainId, count],
    queryFn: async () => (await call(listBlocks, { params: { chainId }, query: { pageSize: count } })).blocks,
    staleTime: 4_000,
  })

/** One block by height or hash. */
export const blockQuery = (chainId: string, blockId: string) =>
  queryOptions({
    queryKey: ['block', chainId, blockId],
    queryFn: () => call(getBlock, { params: { chainId, blockId } }),
    staleTime: (query) => staleTimeOf(query.state.data?.isFinalized),
    // A later block settles this one within seconds.
    refetchInterval: ({ state: { data } }) =>
      data?.settledHeight !== undefined && data.settledBy === undefined && 5_000,
  })

/** The transactions of a block. */
export const blockTransactionsQuery = (chainId: string, blockId: string) =>
  listQuery({
    key: ['block-transactions', chainId, blockId],
    read: (paging, signal) =>
      call(listBlockTransactions, { params: { chainId, blockId }, query: paging, signal }),
    rowsOf: (page) => page.transactions,
    pageSize: 100,
    staleTime: 60_000,
  })
