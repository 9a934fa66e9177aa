import { queryOptions } from '@tanstack/react-query'
import { getChain, listChains, listChainStatus, type ChainStatus } from '../../contract/evm-chains.ts'
import { call, session } from './session.ts'
import { queryClient } from './query-client.ts'
import { listBlocks } from '../../contract/evm-blocks.ts'

/** `/config.json` and the profile that this page uses. */
export const sessionQuery = () =>
  queryOptions({
    queryKey: ['session'],
    queryFn: session,
    staleTime: Infinity,
    gcTime: Infinity,
    // The frame mounts its parts anew when this fails: each of them asking again would never end.
    retryOnMount: false,
  })

/** Every EVM chain of the profile's network. */
export const chainsQuery = () =>
  queryOptions({
    queryKey: ['chains'],
    queryFn: async () => {
      const { profile } = await session()
      const { chains } = await call(listChains, { query: { network: profile.network } })
      return chains
    },
    staleTime: 60_000,
  })

/** One EVM chain by its chain id or blockchain id. */
export const chainQuery = (chainId: string) =>
  queryOptions({
    queryKey: ['chain', chainId],
    queryFn: () => call(getChain, { params: { chainId } }),
    staleTime: 60_000,
  })

/** How far every chain is indexed, and its headline figures. Kept up to date by live events. */
export const statusQuery = () =>
  queryOptions({
    queryKey: ['status'],
    queryFn: async ({ signal }) => (await call(listChainStatus, { signal })).chains,
    staleTime: 5_000,
    refetchInterval: 30_000,
  })

/** The newest block of a chain as this page knows it. */
export type Head = { blockNumber: string; blockTimestamp: number }

/** The head of a chain, where the deployment tells no status: its newest block. */
export const headQuery = (chainId: string) =>
  queryOptions({
    queryKey: ['head', chainId],
    queryFn: async ({ signal }): Promise<Head | undefined> => {
      const { blocks } = await call(listBlocks, { params: { chainId }, query: { pageSize: 1 }, signal })
      const [block] = blocks
      return block && { blockNumber: block.blockNumber, blockTimestamp: block.blockTimestamp }
    },
    staleTime: 10_000,
    refetchInterval: 20_000,
  })

/** The status of one chain from the list of all. */
export function statusOf(all: readonly ChainStatus[] | undefined, chainId: string): ChainStatus | undefined {
  return all?.find((status) => status.chainId === chainId)
}

/** Starts fetching what every page of a chain shows. Failures are the components' to show. */
export function prefetchChain(chainId: string): void {
  void queryClient.prefetchQuery(chainQuery(chainId))
}
