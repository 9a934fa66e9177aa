import type { StoreSession } from '../../../store/session.ts'
import type { IndexerStats } from '../../../kernel/indexer-stats.ts'
import type { ProgressMeter } from '../../../kernel/progress-meter.ts'
import { yieldToEventLoop } from '../../../kernel/turns.ts'
import type { Batch } from './batch.ts'
import { noteUnmade } from './pending-imports.ts'
import { expectCursor, finishRun, writeAs } from './store.ts'

/**
 * Limits of one transaction while catching up, in blocks and bytes. In large transactions most UTXOs are
 * spent before they are written.
 */
export const runBlocks = 4_096
export const runBytes = 4 * 1024 * 1024
/** Items processed before yielding to the event loop: a few milliseconds of work. */
const turnItems = 64
/** Milliseconds after which a run is written even if a slow node has not filled it. */
export const runTime = 1_000

/**
 * The position in a chain: its last block, with the id as a key and the time in Unix seconds. Height -1 is
 * before the first block.
 */
export type Cursor = { readonly height: number; readonly id: string; readonly ts: number }

/** The rows of some consecutive blocks, and the chain's position before and after them. */
type BlockRows = {
  readonly batch: Batch
  readonly before: Pick<Cursor, 'height' | 'id'>
  readonly cursor: Cursor
}

/** Blocks that were applied in memory and are written in one transaction. */
export type Run = BlockRows & { readonly blocks: number; readonly transactions: number }

/**
 * Writes the rows of some blocks of a chain in one transaction and announces the new position; at `head`, the
 * chain is live. Throws RetryableError if the store is not at the position where the blocks begin.
 */
export async function writeBlocks(
  session: StoreSession,
  chain: number,
  { batch, before, cursor }: BlockRows,
  head: number,
): Promise<void> {
  await session.transaction(async (sql) => {
    await expectCursor(sql, chain, before.height, before.id)
    await writeAs(sql, chain)
    await batch.write(sql)
    await noteUnmade(sql, chain, cursor.ts)
    await finishRun(sql, chain, cursor, head)
  })
}

/** Writes a run like `writeBlocks`, and counts it once it is written. */
export async function writeRun(
  { session, stats }: { readonly session: StoreSession; readonly stats: IndexerStats },
  chain: number,
  run: Run,
  head: number,
): Promise<void> {
  await writeBlocks(session, chain, run, head)
  stats.blocksApplied += run.blocks
  stats.transactionsApplied += run.transactions
  stats.indexedNumber = run.cursor.height
}

/**
 * Writes runs in order, each while the next one is gathered. `gather` returns undefined at the end. Throws
 * the error of either function, after all pending work has settled.
 */
export async function writeRuns<Gathered>(
  gather: () => Promise<Gathered | undefined>,
  write: (run: Gathered) => Promise<void>,
  progress: ProgressMeter,
): Promise<void> {
  let writing = Promise.resolve()
  try {
    for (;;) {
      const run = await gather()
      await progress.time('storedMs', writing)
      if (run === undefined) return
      await progress.note()
      writing = write(run)
      // The error is handled when the run is awaited, after the next one was gathered.
      writing.catch(() => undefined)
    }
  } finally {
    await Promise.allSettled([writing])
  }
}

/**
 * Passes items on as they arrive until the run is full, a second has passed, or there are no more. Returns
 * the number of items.
 */
export async function fillRun<Item>(
  take: (limit: number, maxBytes: number) => Promise<readonly Item[]>,
  sizeOf: (item: Item) => number,
  apply: (items: readonly Item[]) => Promise<void>,
): Promise<number> {
  const deadline = performance.now() + runTime
  let count = 0
  let bytes = 0
  do {
    const items = await take(Math.min(turnItems, runBlocks - count), runBytes - bytes)
    if (items.length === 0) break
    await yieldToEventLoop()
    await apply(items)
    count += items.length
    bytes += items.reduce((sum, item) => sum + sizeOf(item), 0)
  } while (count < runBlocks && bytes < runBytes && performance.now() < deadline)
  return count
}
