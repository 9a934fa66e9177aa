/** What folding needs to know of a block. */
export type FoldBlock = {
  readonly blockNumber: string
  readonly txCount: number
  readonly blockType?: string
}

/** The empty blocks of a run, newest first, or a single block. */
export type Run<Block> = readonly [newest: Block, ...others: Block[]]

/**
 * Whether nothing happened in a block. A commit or an abort of the P-Chain has no transactions, but decides about the
 * one of the block before.
 */
const isEmpty = ({ txCount, blockType = '' }: FoldBlock): boolean =>
  txCount === 0 && !/(?:Commit|Abort)Block$/.test(blockType)

/** A chain's blocks, latest first, with each run of empty ones together. Only heights that follow each other make a run. */
export function emptyRuns<Block extends FoldBlock>(blocks: Iterable<Block>): Run<Block>[] {
  const runs: [Block, ...Block[]][] = []
  for (const block of blocks) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    const follows =
      before !== undefined &&
      isEmpty(before) &&
      isEmpty(block) &&
      BigInt(before.blockNumber) === BigInt(block.blockNumber) + 1n
    if (follows) run?.push(block)
    else runs.push([block])
  }
  return runs
}

/** A row of a list of blocks: a block, or the newest block of a run of empty ones. */
export type BlockRow<Block> = Block & {
  readonly run?: {
    readonly count: number
    /** The height of the oldest block. */
    readonly oldest: string
    /** The run reaches the oldest block that was loaded and may go on before it. */
    readonly open: boolean
  }
}

/** The blocks of a list as rows; `more` tells whether there are blocks before the last one. A single block stays itself. */
export function blockRows<Block extends FoldBlock>(
  blocks: Iterable<Block>,
  more: boolean,
): BlockRow<Block>[] {
  const runs = emptyRuns(blocks)
  return runs.map(([newest, ...others], place) => {
    const oldest = others.at(-1)
    if (oldest === undefined) return newest
    const open = more && place === runs.length - 1
    return { ...newest, run: { count: others.length + 1, oldest: oldest.blockNumber, open } }
  })
}
