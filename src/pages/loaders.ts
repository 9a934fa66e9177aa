import type { LoaderFunctionArgs } from 'react-router'
import { blocksQuery, latestBlocksQuery, prefetchBlock } from '../api/evm/blocks.ts'
import { chainQuery, chainsQuery, statusQuery } from '../api/chains.ts'
import { queryClient } from '../api/query-client.ts'
import { transactionQuery, transactionsQuery } from '../api/evm/transactions.ts'

/*
 * What a page asks for first. Loaders are not part of the page's own chunk, so that its data is under way
 * while its code is still coming. They wait for nothing: the page draws its skeleton at once.
 */

export type Loader = (args: LoaderFunctionArgs) => null

const whole = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined

const rangeOf = (url: string): { height: number | undefined; before: number | undefined } => {
  const search = new URL(url).searchParams
  return { height: whole(search.get('from')), before: whole(search.get('before')) }
}

/** The list of chains and how each stands. */
export const loadChains: Loader = () => {
  void queryClient.prefetchQuery(chainsQuery())
  void queryClient.prefetchQuery(statusQuery())
  return null
}

/** One chain and its newest blocks. */
export const loadChain: Loader = ({ params }) => {
  const chainId = params['chainId'] ?? ''
  void queryClient.prefetchQuery(chainQuery(chainId))
  void queryClient.prefetchQuery(latestBlocksQuery(chainId, 8))
  return null
}

/** The first page of a chain's blocks. */
export const loadBlocks: Loader = ({ params, request }) => {
  void queryClient.prefetchInfiniteQuery(blocksQuery(params['chainId'] ?? '', rangeOf(request.url)))
  return null
}

/** A block and its transactions. */
export const loadBlock: Loader = ({ params }) => {
  prefetchBlock(params['chainId'] ?? '', params['blockId'] ?? '')
  return null
}

/** The first page of a chain's transactions. */
export const loadTransactions: Loader = ({ params, request }) => {
  void queryClient.prefetchInfiniteQuery(transactionsQuery(params['chainId'] ?? '', rangeOf(request.url)))
  return null
}

/** One transaction. */
export const loadTransaction: Loader = ({ params }) => {
  void queryClient.prefetchQuery(transactionQuery(params['chainId'] ?? '', params['txHash'] ?? ''))
  return null
}
