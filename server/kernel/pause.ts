import { setTimeout as sleep } from 'node:timers/promises'

/** Waits; ends early, without an error, when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Milliseconds that the indexer waits before it asks a node or the store again. */
export type Pace = {
  /** The first pause after a failed request; each further one is twice as long. */
  readonly first: number
  readonly longest: number
  /** Before a node is asked again about a block on which it disagrees with the store. */
  readonly secondThought: number
  /** Between two steps while heads of the past come fast, so that each takes many blocks. */
  readonly gather: number
  /** Between looks at a stopped chain's row, which a rewind sets going again. */
  readonly stopped: number
  /** Between attempts to trace, at a node that has no trace method or lacks the state of the blocks in question. */
  readonly traces: number
}

/** Kind to a public node, quick enough for one's own. */
export const usualPace: Pace = {
  first: 250,
  longest: 15_000,
  secondThought: 150,
  gather: 1_000,
  stopped: 1_000,
  traces: 60_000,
}
