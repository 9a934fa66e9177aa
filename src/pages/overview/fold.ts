import type { EvmBlock } from '../../../contract/evm/blocks.ts'
import { emptyRuns } from '../../lib/empty-runs.ts'

/** A row of the feed of blocks: a block, or a run of empty blocks of one chain. */
export type FeedRow<Block> = {
  readonly chainId: string
  /** The newest block of the run. */
  readonly newest: Block
  /** The oldest one: the same for a single block. */
  readonly oldest: Block
  readonly count: number
  /** The run reaches the oldest block that was loaded and may go on before it. */
  readonly open: boolean
}

type FoldBlock = Pick<EvmBlock, 'blockNumber' | 'blockTimestamp' | 'txCount'>

export type ChainBlocks<Block> = {
  readonly chainId: string
  /** The newest blocks of the chain, latest first. */
  readonly blocks: readonly Block[]
}

/** A chain's blocks with each run of empty ones as one row. */
function foldChain<Block extends FoldBlock>({ chainId, blocks }: ChainBlocks<Block>): FeedRow<Block>[] {
  const runs = emptyRuns(blocks)
  return runs.map((run, place) => {
    const open = run.count > 1 && place === runs.length - 1 && run.oldest.blockNumber !== '0'
    return { chainId, ...run, open }
  })
}

/**
 * The newest blocks of several chains in one order, latest first, each run of empty blocks of a chain folded to one
 * row at the place of its newest block. `max` rows at most; chains of one second keep the order of the list.
 */
export function foldFeed<Block extends FoldBlock>(
  chains: readonly ChainBlocks<Block>[],
  max: number,
): FeedRow<Block>[] {
  return chains
    .flatMap(foldChain)
    .sort((a, b) => b.newest.blockTimestamp - a.newest.blockTimestamp)
    .slice(0, max)
}
