import type { Queryable } from '../../store/database.ts'

/** Queues the items of blocks from a height on: about `max`, including all of the last height. */
type QueuePass = (from: bigint, max: number) => Promise<{ found: number; last: bigint | undefined }>

const max = 2_000
/** Seconds between full passes, which find changes by a manual rewind. */
const fullPass = 3_600

/**
 * Queues the items that the indexer saw for the first time since the last call, by height. The last `margin`
 * heights are read again each time, because a reorg may replace them. If the head went back further, the
 * position follows it.
 */
export class FirstSeen {
  readonly #pass: QueuePass
  readonly #margin: bigint
  #next = 0n
  #fullPassAt: number

  /** `now` in Unix seconds; `margin` is the deepest reorg in blocks. */
  constructor(pass: QueuePass, margin: number, now: number) {
    this.#pass = pass
    this.#margin = BigInt(margin)
    this.#fullPassAt = now + fullPass
  }

  async queue(head: bigint, now: number, signal: AbortSignal): Promise<void> {
    if (now >= this.#fullPassAt) {
      this.#next = 0n
      this.#fullPassAt = now + fullPass
    }
    const lower = head < this.#next ? head : this.#next
    let from = lower > this.#margin ? lower - this.#margin : 0n
    while (!signal.aborted) {
      const { found, last } = await this.#pass(from, max)
      if (last !== undefined) from = last + 1n
      if (found < max) break
    }
    this.#next = from > head ? head + 1n : from
  }
}

/** The chain's highest indexed block; undefined without blocks. */
export async function readHead(database: Queryable, chain: number): Promise<bigint | undefined> {
  const [row] = await database<{ number: bigint }[]>`
    select number from blocks where chain = ${chain} order by number desc limit 1`
  return row?.number
}
