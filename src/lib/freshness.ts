/** What is known of how far a chain is followed. */
export type Followed = {
  state?: string | undefined
  indexedBlock?: string | undefined
  indexedTimestamp?: number | undefined
  nodeBlock?: string | undefined
  nodeSeenTimestamp?: number | undefined
  blockTime?: number | undefined
}

export type Freshness = 'fresh' | 'quiet' | 'syncing' | 'stale' | 'stopped' | 'unknown'

const lagBlocks = 20n
const shortest = 60
const longest = 900
const nodeSilence = 120

/**
 * Whether what a page shows is the chain's present. A chain that is live, with a node that was seen lately
 * and has nothing newer, is quiet however old its head is; otherwise an old head is stale. Times are Unix
 * seconds.
 */
export function freshnessOf(chain: Followed, now: number): Freshness {
  const { state, indexedBlock, indexedTimestamp, nodeBlock, nodeSeenTimestamp, blockTime } = chain
  if (state === 'stopped') return 'stopped'
  if (state === 'syncing') return 'syncing'
  if (indexedTimestamp === undefined || indexedBlock === undefined) return 'unknown'
  if (state === 'waiting') return 'stale'
  if (nodeBlock !== undefined && BigInt(nodeBlock) - BigInt(indexedBlock) > lagBlocks) return 'stale'
  const limit = Math.min(longest, Math.max(shortest, (blockTime ?? 0) * 10))
  if (now - indexedTimestamp <= limit) return 'fresh'
  if (state !== 'live') return 'stale'
  return nodeSeenTimestamp !== undefined && now - nodeSeenTimestamp > nodeSilence ? 'stale' : 'quiet'
}

/** The share of the known blocks that are indexed, 0 to 1; undefined when either end is unknown. */
export function progressOf(
  first: string | undefined,
  indexed: string | undefined,
  node: string | undefined,
): number | undefined {
  if (indexed === undefined || node === undefined) return undefined
  const start = BigInt(first ?? 0)
  const all = BigInt(node) - start + 1n
  const done = BigInt(indexed) - start + 1n
  if (all <= 0n) return undefined
  const thousandths = Number((done * 1000n) / all)
  return Math.min(1, Math.max(0, thousandths / 1000))
}
