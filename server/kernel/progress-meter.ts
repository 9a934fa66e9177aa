import type { IndexerStats } from './indexer-stats.ts'

/** What an indexer that catches up waits for most. */
type Bound = 'node' | 'database' | 'decoding'

/** How fast a chain catches up and what bounds it; `ts` in Unix seconds. */
export type Progress = { readonly ts: number; readonly blocksPerSecond: number; readonly bound: Bound }

type Counters = Pick<IndexerStats, 'blocksApplied' | 'waitedMs' | 'storedMs' | 'decodedMs'>

/** Milliseconds between two measurements. */
const defaultWindow = 10_000

/**
 * Measures how fast a chain catches up and what bounds it, from the indexer's own counters, and saves it, so that every
 * process can show it. A run that ends before a window is full, as at the head, saves nothing.
 */
export class ProgressMeter {
  readonly #stats: IndexerStats
  readonly #save: (progress: Progress) => Promise<unknown>
  readonly #window: number
  #from: Counters
  #since = performance.now()

  constructor(
    stats: IndexerStats,
    save: (progress: Progress) => Promise<unknown>,
    window: number = defaultWindow,
  ) {
    this.#stats = stats
    this.#save = save
    this.#window = window
    this.#from = { ...stats }
  }

  /** Adds the time of an action to a counter. */
  async time<Result>(counter: 'waitedMs' | 'storedMs', action: Promise<Result>): Promise<Result> {
    const began = performance.now()
    try {
      return await action
    } finally {
      this.#stats[counter] += performance.now() - began
    }
  }

  /** Saves the measurement once the window is full. */
  async note(): Promise<void> {
    const elapsed = performance.now() - this.#since
    if (elapsed < this.#window) return
    const blocksPerSecond = ((this.#stats.blocksApplied - this.#from.blocksApplied) * 1000) / elapsed
    const bound = boundOf(this.#from, this.#stats, elapsed)
    this.#from = { ...this.#stats }
    this.#since = performance.now()
    await this.#save({ ts: Math.floor(Date.now() / 1000), blocksPerSecond, bound })
  }
}

/** Runs what computes without waiting, and counts its time. */
export function decoding<Result>(stats: Pick<IndexerStats, 'decodedMs'>, action: () => Result): Result {
  const began = performance.now()
  try {
    return action()
  } finally {
    stats.decodedMs += performance.now() - began
  }
}

/**
 * What bounded the indexer for `elapsed` milliseconds. Checking and decoding run in this process only, so half of the
 * time is enough to be the limit: the rest is spent around them. Otherwise it is whichever the indexer waited for longer:
 * blocks of the node, or the store.
 */
export function boundOf(from: Counters, to: Counters, elapsed: number): Bound {
  if (to.decodedMs - from.decodedMs >= elapsed / 2) return 'decoding'
  return to.storedMs - from.storedMs >= to.waitedMs - from.waitedMs ? 'database' : 'node'
}
