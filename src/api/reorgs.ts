import type { ChainStatus } from '../../contract/evm/chains.ts'
import { queryClient } from './query-client.ts'

/** How often blocks of each chain were taken back, as far as what is shown accounts for it. */
const accounted = new Map<string, number>()

/**
 * Blocks of a chain were taken back for the `count`-th time. That may touch whatever is shown of the chain, final blocks and
 * deep lists included: all of it is asked for again.
 */
export function takeReorg(chainId: string, count: number): void {
  accounted.set(chainId, count)
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === chainId })
}

/**
 * Finds by a status what no event has told: a stream replays nothing, and is closed while the page loads, is hidden or has no
 * connection. The first status is what the others are compared with; one of another deployment counts as a change, which
 * does no harm.
 */
export function findReorgs(chains: readonly Pick<ChainStatus, 'chainId' | 'reorgCount'>[]): void {
  for (const { chainId, reorgCount } of chains) {
    if (reorgCount === undefined) continue
    const before = accounted.get(chainId) ?? reorgCount
    accounted.set(chainId, reorgCount)
    if (before !== reorgCount) takeReorg(chainId, reorgCount)
  }
}
