import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { getBlock, listBlocks, listBlockTransactions, type EvmBlock } from '../../../contract/evm/blocks.ts'
import { queryClient, immutableStaleTime } from '../query-client.ts'
import { call } from '../session.ts'

/** Where a list of blocks begins: at a height, or before a moment. Absent: at the head. */
export type BlocksFrom = { height?: number | undefined; before?: number | undefined }

/** Rows a page of a long list; the interface allows 100. */
export const listPageSize = 50
const exportPageSize = 100

const range = (from: BlocksFrom) => ({
  ...(from.height !== undefined && { endBlock: from.height + 1 }),
  ...(from.before !== undefined && { endTimestamp: from.before }),
})

/** The blocks of a chain, latest first, page by page. */
export const blocksQuery = (chainId: string, from: BlocksFrom = {}) =>
  infiniteQueryOptions({
    queryKey: ['blocks', chainId, from.height ?? null, from.before ?? null],
    queryFn: ({ pageParam }) =>
      call(listBlocks, {
        params: { chainId },
        query: { pageSize: listPageSize, ...range(from), ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: Infinity,
  })

/** The newest few blocks of a chain. */
export const latestBlocksQuery = (chainId: string, count: number) =>
  queryOptions({
    queryKey: ['latest-blocks', chainId, count],
    queryFn: async () => (await call(listBlocks, { params: { chainId }, query: { pageSize: count } })).blocks,
    staleTime: 4_000,
  })

/** One block by height or hash. Below the head it may still be reverted, so it goes stale. */
export const blockQuery = (chainId: string, blockId: string) =>
  queryOptions({
    queryKey: ['block', chainId, blockId],
    queryFn: () => call(getBlock, { params: { chainId, blockId } }),
    staleTime: (query) => (query.state.data?.isFinalized === true ? immutableStaleTime : 5_000),
    // A later block settles it within seconds.
    refetchInterval: ({ state: { data } }) =>
      data?.settledHeight !== undefined && data.settledBy === undefined && 5_000,
  })

/** The transactions of a block, page by page. */
export const blockTransactionsQuery = (chainId: string, blockId: string) =>
  infiniteQueryOptions({
    queryKey: ['block-transactions', chainId, blockId],
    queryFn: ({ pageParam }) =>
      call(listBlockTransactions, {
        params: { chainId, blockId },
        query: { pageSize: exportPageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** Every block of a list, page by page, for exports. */
export async function* allBlocks(
  chainId: string,
  from: BlocksFrom,
  signal: AbortSignal,
): AsyncGenerator<readonly EvmBlock[]> {
  let pageToken: string | undefined
  do {
    const page = await call(listBlocks, {
      params: { chainId },
      query: { pageSize: exportPageSize, ...range(from), ...(pageToken && { pageToken }) },
      signal,
    })
    yield page.blocks
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}

/** Fetches a block ahead of the click that will ask for it. */
export function prefetchBlock(chainId: string, blockId: string): void {
  void queryClient.prefetchQuery(blockQuery(chainId, blockId))
  void queryClient.prefetchInfiniteQuery(blockTransactionsQuery(chainId, blockId))
}
