import { queryOptions } from '@tanstack/react-query'
import { getChain, listChains, listChainStatus, type ChainStatus } from '../../contract/evm/chains.ts'
import { call, session } from './session.ts'
import { isPassing } from './errors.ts'
import { queryClient } from './query-client.ts'
import { connection } from '../lib/connection.ts'
import type { Followed } from '../lib/freshness.ts'

/** `/config.json` and the profile that this page uses. */
export const sessionQuery = () =>
  queryOptions({
    queryKey: ['session'],
    queryFn: session,
    staleTime: Infinity,
    gcTime: Infinity,
    // Nothing else is asked before this has come, so nothing else would notice that the service is back.
    refetchInterval: ({ state }) => isPassing(state.error) && 2_000 + Math.random() * 2_000,
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

type StatusPatch = (all: ChainStatus[]) => ChainStatus[]

/** What came in while an answer was under way, a list for each such answer. */
const missed = new Set<StatusPatch[]>()

/** The answer of `load` with what `patchStatus` was told while it was under way. */
export async function withPatches(load: () => Promise<ChainStatus[]>): Promise<ChainStatus[]> {
  const since: StatusPatch[] = []
  missed.add(since)
  try {
    const chains = await load()
    return since.reduce((all, patch) => patch(all), chains)
  } finally {
    missed.delete(since)
  }
}

/** How far every chain is indexed, and its headline figures. Kept up to date by live events. */
export const statusQuery = () =>
  queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => withPatches(async () => (await call(listChainStatus, { signal })).chains),
    staleTime: 5_000,
    // Without a stream of events this is all that tells how the chains stand.
    refetchInterval: () => (connection.get().stream === 'open' ? 30_000 : 10_000),
  })

/**
 * Changes what is known of one chain's standing, and holds the change against answers that are under way:
 * they may have been written before it. A patch that an answer has already must change nothing.
 */
export function patchStatus(chainId: string, patch: (status: ChainStatus) => ChainStatus): void {
  const patchAll: StatusPatch = (all) =>
    all.map((status) => (status.chainId === chainId ? patch(status) : status))
  for (const since of missed) since.push(patchAll)
  queryClient.setQueryData(statusQuery().queryKey, (all) => all && patchAll(all))
}

/** The head of a chain, where the deployment tells no status: its newest block, and how often blocks come. */
export const headQuery = (chainId: string) =>
  queryOptions({
    queryKey: ['head', chainId],
    queryFn: async ({ signal }): Promise<Followed | null> => {
      // Only deployments without a status need it, so the frame of every page does not load it.
      const { listBlocks } = await import('../../contract/evm/blocks.ts')
      const { blocks } = await call(listBlocks, { params: { chainId }, query: { pageSize: 25 }, signal })
      return headOf(blocks)
    },
    staleTime: 10_000,
    refetchInterval: 20_000,
  })

/** The status of one chain from the list of all. */
export function statusOf(all: readonly ChainStatus[] | undefined, chainId: string): ChainStatus | undefined {
  return all?.find((status) => status.chainId === chainId)
}

/** The newest of some blocks, latest first, as a head; null when there is none. */
export function headOf(blocks: readonly { blockNumber: string; blockTimestamp: number }[]): Followed | null {
  const [newest] = blocks
  const oldest = blocks.at(-1)
  if (!newest || !oldest) return null
  return {
    indexedBlock: newest.blockNumber,
    indexedTimestamp: newest.blockTimestamp,
    ...(blocks.length > 1 && {
      blockTime: (newest.blockTimestamp - oldest.blockTimestamp) / (blocks.length - 1),
    }),
  }
}
