import { queryOptions } from '@tanstack/react-query'
import type { KeptFrom } from '../../../contract/base/fields.ts'
import {
  listAddressTransactions,
  listErc1155Transfers,
  listErc20Transfers,
  listErc721Transfers,
  listInternalTransactions,
} from '../../../contract/evm/addresses.ts'
import { listBlocks } from '../../../contract/evm/blocks.ts'
import { listQuery, type Paging } from '../list.ts'
import { call } from '../session.ts'

/** A block range of a list, both ends inclusive; an absent end is open. */
export type Heights = { from?: number | undefined; to?: number | undefined }

/** The most rows that are counted above a list: the API's largest page. */
const countedRows = 100
const watchSeconds = 15

export const blockRange = ({ from, to }: Heights) => ({
  startBlock: from,
  // The API's end is exclusive.
  endBlock: to === undefined ? undefined : to + 1,
})

type Request = {
  params: { chainId: string; address: string }
  query: Partial<Paging & ReturnType<typeof blockRange>>
  signal: AbortSignal | undefined
}
type Page<Row> = KeptFrom & { nextPageToken?: string | undefined; transactions: readonly Row[] }

/** A list of an address's activity, latest first: its pages, and the number of new rows above it. */
function activity<Row>(id: string, ask: (request: Request) => Promise<Page<Row>>) {
  const keyOf = (chainId: string, address: string) => ['address', id, chainId, address.toLowerCase()] as const
  return {
    query: (chainId: string, address: string, heights: Heights = {}) =>
      listQuery({
        key: [...keyOf(chainId, address), heights.from, heights.to],
        read: (paging, signal) =>
          ask({ params: { chainId, address }, query: { ...paging, ...blockRange(heights) }, signal }),
        rowsOf: (page) => page.transactions,
        staleTime: Infinity,
      }),

    /** The number of rows above a height, up to 100; refetched while the page is visible. */
    since: (chainId: string, address: string, height: number) =>
      queryOptions({
        queryKey: [...keyOf(chainId, address), 'since', height],
        queryFn: async ({ signal }) => {
          const query = { pageSize: countedRows, startBlock: height + 1 }
          return (await ask({ params: { chainId, address }, query, signal })).transactions.length
        },
        staleTime: watchSeconds * 1000,
        refetchInterval: watchSeconds * 1000,
      }),
  }
}

/** The lists of an address, named like their operations. */
export const activities = {
  transactions: activity('transactions', (request) => call(listAddressTransactions, request)),
  'erc-20': activity('erc-20', (request) => call(listErc20Transfers, request)),
  'erc-721': activity('erc-721', (request) => call(listErc721Transfers, request)),
  'erc-1155': activity('erc-1155', (request) => call(listErc1155Transfers, request)),
  internals: activity('internals', (request) => call(listInternalTransactions, request)),
} as const

/**
 * The last block before a time in Unix seconds; undefined when there is none. Used by the jump of the blocks list.
 */
export async function blockBefore(
  chainId: string,
  seconds: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { blocks } = await call(listBlocks, {
    params: { chainId },
    query: { pageSize: 1, endTimestamp: seconds },
    signal,
  })
  return blocks[0] && Number(blocks[0].blockNumber)
}
