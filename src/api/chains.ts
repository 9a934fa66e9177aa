import { queryOptions } from '@tanstack/react-query'
import {
  getChain,
  getStorage,
  listChains,
  listChainStatus,
  type ChainStatus,
} from '../../contract/evm/chains.ts'
import { call, onSession, session } from './session.ts'
import { hasOperation } from '../../contract/profile.ts'
import { isTransient } from './errors.ts'
import { queryClient } from './query-client.ts'
import { findReorgs } from './reorgs.ts'
import { connection } from '../lib/connection.ts'
import type { Followed } from '../lib/freshness.ts'

/** `/config.json` and the profile that this page uses. */
export const sessionQuery = () =>
  queryOptions({
    queryKey: ['session'],
    queryFn: session,
    staleTime: Infinity,
    gcTime: Infinity,
    // No other query starts before this one succeeds, so only this one can notice that the service is back.
    refetchInterval: ({ state }) => isTransient(state.error) && 2_000 + Math.random() * 2_000,
    // A failure makes the frame remount its parts; retrying on every mount would never end.
    retryOnMount: false,
  })

onSession((next) => queryClient.setQueryData(sessionQuery().queryKey, next))

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

/** One EVM chain by its chain ID or blockchain ID. */
export const chainQuery = (chainId: string) =>
  queryOptions({
    queryKey: ['chain', chainId],
    queryFn: () => call(getChain, { params: { chainId } }),
    staleTime: 60_000,
  })

type StatusPatch = (all: ChainStatus[]) => ChainStatus[]

/** Patches that arrived while a status request was in flight: one list for each request. */
const missed = new Set<StatusPatch[]>()

/** The answer of `load` with the patches that arrived while it was loading. */
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

async function askStatus(signal: AbortSignal): Promise<ChainStatus[]> {
  const chains = await withPatches(async () => (await call(listChainStatus, { signal })).chains)
  findReorgs(chains)
  return chains
}

/** The indexing status and headline figures of every chain. Live events keep it up to date. */
export const statusQuery = () =>
  queryOptions({
    queryKey: ['status'],
    queryFn: ({ signal }) => askStatus(signal),
    staleTime: 5_000,
    // Without an event stream, this query is the only source of the status.
    refetchInterval: () => (connection.get().stream === 'open' ? 30_000 : 10_000),
  })

/** The disk that the service uses. */
export const storageQuery = () =>
  queryOptions({
    queryKey: ['storage'],
    queryFn: ({ signal }) => call(getStorage, { signal }),
    staleTime: 30_000,
  })

/**
 * Patches the status of one chain, also in answers that are in flight: they may have been computed before the event.
 * A patch must not change an answer that contains it already.
 */
export function patchStatus(chainId: string, patch: (status: ChainStatus) => ChainStatus): void {
  const patchAll: StatusPatch = (all) =>
    all.map((status) => (status.chainId === chainId ? patch(status) : status))
  for (const since of missed) since.push(patchAll)
  queryClient.setQueryData(statusQuery().queryKey, (all) => all && patchAll(all))
}

/** The head of a chain for deployments without a status: its newest block and the block interval. */
export const headQuery = (chainId: string) =>
  queryOptions({
    queryKey: ['head', chainId],
    queryFn: async ({ signal }): Promise<Followed | null> => {
      const { profile } = await session()
      if (!hasOperation(profile, 'listBlocks'))
        return profile.nodeUrl ? (await import('./from-node.ts')).headFromNode(profile, chainId) : null
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

/** The newest of some blocks (latest first) as a head; null for none. */
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
