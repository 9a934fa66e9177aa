import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import type { StoreSession } from '../../store/session.ts'

/** What an indexer that catches up waits for most. */
export type Bound = 'node' | 'database' | 'decoding'

type Counters = Pick<IndexerStats, 'blocksApplied' | 'waitedMs' | 'storedMs' | 'decodedMs'>

/** Milliseconds between two measurements. */
const usualWindow = 10_000

/**
 * Measures how fast a chain catches up and what bounds it, from the indexer's own counters, and writes it to the store,
 * so that every process can show it. A run that ends before a window is full, as at the head, writes nothing.
 */
export class ProgressMeter {
  readonly #session: StoreSession
  readonly #chain: number
  readonly #stats: IndexerStats
  readonly #window: number
  #from: Counters
  #since = performance.now()

  constructor(session: StoreSession, chain: number, stats: IndexerStats, window = usualWindow) {
    this.#session = session
    this.#chain = chain
    this.#stats = stats
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

  /** Writes the measurement once the window is full. */
  async note(): Promise<void> {
    const elapsed = performance.now() - this.#since
    if (elapsed < this.#window) return
    const rate = ((this.#stats.blocksApplied - this.#from.blocksApplied) * 1000) / elapsed
    const bound = boundOf(this.#from, this.#stats, elapsed)
    this.#from = { ...this.#stats }
    this.#since = performance.now()
    await this.#session.use(
      (sql) => sql`
        insert into sync_progress (chain, ts, blocks_per_second, bound)
        values (${this.#chain}, ${Math.floor(Date.now() / 1000)}, ${rate}, ${bound})
        on conflict (chain) do update
        set ts = excluded.ts, blocks_per_second = excluded.blocks_per_second, bound = excluded.bound`,
    )
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
