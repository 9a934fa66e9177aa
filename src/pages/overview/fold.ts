import type { EvmBlock } from '../../../contract/evm/blocks.ts'

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

/** Fewer empty blocks than this are shown one by one. */
const leastRun = 2

/** A chain's blocks with each run of empty ones as one row. Only heights that follow each other make a run. */
function foldChain<Block extends FoldBlock>({ chainId, blocks }: ChainBlocks<Block>): FeedRow<Block>[] {
  const runs: Block[][] = []
  for (const block of blocks) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    const follows =
      before !== undefined &&
      before.txCount === 0 &&
      block.txCount === 0 &&
      BigInt(before.blockNumber) === BigInt(block.blockNumber) + 1n
    if (follows) run?.push(block)
    else runs.push([block])
  }
  return runs.flatMap((run, place) => {
    const last = run.at(-1)
    const open = place === runs.length - 1 && last?.blockNumber !== '0'
    const rows = run.length < leastRun ? run.map((block) => [block]) : [run]
    return rows.flatMap((row) => {
      const [newest] = row
      const oldest = row.at(-1)
      if (newest === undefined || oldest === undefined) return []
      return [{ chainId, newest, oldest, count: row.length, open: open && row.length > 1 }]
    })
  })
}

/**
 * The newest blocks of several chains in one order, latest first, each run of empty blocks of a chain folded to one
 * row at the place of its newest block. `most` rows at most; chains of one second keep the order of the list.
 */
export function foldFeed<Block extends FoldBlock>(
  chains: readonly ChainBlocks<Block>[],
  most: number,
): FeedRow<Block>[] {
  return chains
    .flatMap(foldChain)
    .sort((a, b) => b.newest.blockTimestamp - a.newest.blockTimestamp)
    .slice(0, most)
}
