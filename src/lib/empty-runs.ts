import { pagedRows, type PagedRows } from './paging.ts'

/** What folding needs to know of a block. */
export type FoldBlock = {
  readonly blockNumber: string
  readonly txCount: number
  readonly blockType?: string
}

/** A run of empty blocks, or a single block: then both ends are the same. */
type Run<Block> = { readonly newest: Block; readonly oldest: Block; readonly count: number }

/**
 * Whether nothing happened in a block. A commit or an abort of the P-Chain has no transactions, but decides about the
 * one of the block before.
 */
const isEmpty = ({ txCount, blockType = '' }: FoldBlock): boolean =>
  txCount === 0 && !/(?:Commit|Abort)Block$/.test(blockType)

/**
 * A chain's blocks, latest first, with each run of empty ones together. Only heights that follow each other make a run.
 * The first run continues `before` if it can; otherwise `before` is the first of the answer.
 */
export function emptyRuns<Block extends FoldBlock>(
  blocks: Iterable<Block>,
  before?: Run<Block>,
): Run<Block>[] {
  const runs: Run<Block>[] = before ? [before] : []
  let open = before
  for (const block of blocks) {
    const follows =
      open !== undefined &&
      isEmpty(open.oldest) &&
      isEmpty(block) &&
      BigInt(open.oldest.blockNumber) === BigInt(block.blockNumber) + 1n
    if (open && follows) {
      open = { newest: open.newest, oldest: block, count: open.count + 1 }
      runs[runs.length - 1] = open
    } else {
      open = { newest: block, oldest: block, count: 1 }
      runs.push(open)
    }
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

/** A single block stays the same object, so that its row is not drawn again. */
const rowOf = <Block extends FoldBlock>(
  { newest, oldest, count }: Run<Block>,
  open: boolean,
): BlockRow<Block> => (count === 1 ? newest : { ...newest, run: { count, oldest: oldest.blockNumber, open } })

/** A page of a list of blocks: the rows that are complete with it, and the run with which it ends. */
type FoldedPage = {
  readonly before: Run<FoldBlock> | undefined
  readonly rows: readonly BlockRow<FoldBlock>[]
  readonly last: Run<FoldBlock> | undefined
}

/** Pages that were folded before, as long as they are loaded: a list is folded again whenever one more page is there. */
const foldedPages = new WeakMap<readonly FoldBlock[], FoldedPage>()

function foldPage(page: readonly FoldBlock[], before: Run<FoldBlock> | undefined): FoldedPage {
  const known = foldedPages.get(page)
  if (known && known.before === before) return known
  const runs = emptyRuns(page, before)
  const last = runs.pop()
  const folded = { before, rows: runs.map((run) => rowOf(run, false)), last }
  foldedPages.set(page, folded)
  return folded
}

/**
 * The blocks of a list of pages as rows; `more` tells whether there are blocks before the last one. A run may reach over
 * several pages. Pages that were folded before cost nothing but a look at them.
 */
export function blockRows<Block extends FoldBlock>(
  pages: readonly (readonly Block[])[],
  more: boolean,
): PagedRows<BlockRow<Block>> {
  const rows: (readonly BlockRow<FoldBlock>[])[] = []
  let last: Run<FoldBlock> | undefined
  for (const page of pages) {
    const folded = foldPage(page, last)
    rows.push(folded.rows)
    last = folded.last
  }
  if (last) rows.push([rowOf(last, more)])
  // The rows are made of the blocks of these pages.
  return pagedRows(rows as (readonly BlockRow<Block>[])[])
}
