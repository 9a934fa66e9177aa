import { setMaxListeners } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { refuse } from '../../kernel/json.ts'
import { decides, decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import type { PTx } from '../../../protocol/primary/p-transactions.ts'
import type { BlockIndex, Wrapped } from './containers.ts'
import { containersAtOnce, type PrimaryNode } from './node.ts'
import { decidedReward, type PBlockWithFacts } from './p-apply.ts'
import { Prefetcher } from './prefetcher.ts'

/** What the P-Chain's blocks are read from. */
type PSource = {
  readonly node: PrimaryNode
  /** Undefined if the node has none. */
  readonly index: BlockIndex | undefined
  /** Requests at once without the index. */
  readonly concurrency: number
  readonly onDepth: (depth: number) => void
}

/**
 * A block that waits as bytes: a decoded one is many times as large and would survive several garbage
 * collections.
 */
export type WaitingBlock = Wrapped & Pick<PBlockWithFacts, 'rewards'>

export const sizeOf = ({ block }: WaitingBlock): number => block.length

/**
 * Prefetches the blocks from a height on, up to `head` or to the end of an index that has the first of them.
 * `byIndex` says whether they come with their proposers. Close it after use.
 */
export async function readPBlocks(
  source: PSource,
  from: number,
  head: number,
  signal: AbortSignal,
): Promise<{ blocks: Prefetcher<WaitingBlock>; to: number; byIndex: boolean; close(): void }> {
  const { index, concurrency, onDepth } = source
  const indexed = (await index?.headAt(from, signal)) ?? -1
  // An index that is behind the chain must not delay it.
  const byIndex = indexed >= from
  const to = byIndex ? Math.min(head, indexed) : head
  const stop = new AbortController()
  const both = AbortSignal.any([signal, stop.signal])
  // Each requested reward adds a listener, and a thousand blocks decide hundreds of rewards.
  setMaxListeners(0, both)
  const blocks = new Prefetcher<WaitingBlock>({
    from,
    to,
    chunk: byIndex ? containersAtOnce : 1,
    concurrency: byIndex ? 2 : concurrency,
    fetch: (start, count) => fetchBlocks(source, start, byIndex ? count : undefined, both),
    sizeOf,
    onDepth,
  })
  const close = (): void => {
    blocks.close()
    stop.abort()
  }
  return { blocks, to, byIndex, close }
}

/** Blocks from the index, or without `count` the one at the height. */
async function fetchBlocks(
  { node, index }: PSource,
  from: number,
  count: number | undefined,
  signal: AbortSignal,
): Promise<WaitingBlock[]> {
  const wrapped: Wrapped[] =
    count !== undefined && index
      ? await index.blocks(from, count, signal)
      : [{ block: await node.block('P', from, signal), wrapper: undefined }]
  return Promise.all(
    wrapped.map(async (each, offset): Promise<WaitingBlock> => {
      const parent = wrapped[offset - 1]?.block
      if (!parent || !decides(each.block)) return { ...each, rewards: undefined }
      const decided = decidedReward(decodePBlock(each.block), decodePBlock(parent).proposal)
      return { ...each, rewards: decided && (await node.rewardUtxos(decided, signal)) }
    }),
  )
}

/**
 * Adds the rewards that consecutive blocks decide and that were not fetched with them. A block decides the
 * proposal of its parent; `proposal` is that of the first block's parent.
 */
export function withRewards(
  node: PrimaryNode,
  proposal: PTx | undefined,
  blocks: readonly PBlockWithFacts[],
  signal: AbortSignal,
): Promise<PBlockWithFacts[]> {
  const pending = blocks.map(async (each, index): Promise<PBlockWithFacts> => {
    if (each.rewards !== undefined) return each
    const parent = blocks[index - 1]?.block
    const decided = decidedReward(each.block, parent ? parent.proposal : proposal)
    return decided ? { ...each, rewards: await node.rewardUtxos(decided, signal) } : each
  })
  return Promise.all(pending)
}

/**
 * Asks again for the rewards that consecutive blocks decide. Call it if they differ from the rules: no hash proves them, so
 * they count as accepted only if the node gives them twice. Throws a refusal if the answers differ.
 */
export async function confirmRewards(
  node: PrimaryNode,
  proposal: PTx | undefined,
  blocks: readonly PBlockWithFacts[],
  signal: AbortSignal,
): Promise<void> {
  const unknown = blocks.map((each) => ({ ...each, rewards: undefined }))
  const again = await withRewards(node, proposal, unknown, signal)
  for (const [index, { block, rewards }] of blocks.entries()) {
    if (!isDeepStrictEqual(rewards, again[index]?.rewards))
      throw refuse(`the node gave two answers about the rewards that P-Chain block ${block.height} decides`)
  }
}
