import { setTimeout as sleep } from 'node:timers/promises'

/** Waits; returns early, without an error, if the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/**
 * The delay before a further try after a number of failures, from 1 on: the first one, doubled with each further failure up to
 * the longest.
 */
export const delayAfter = (failures: number, { first, longest }: Pick<Pace, 'first' | 'longest'>): number =>
  Math.min(longest, first * 2 ** Math.min(20, failures - 1))

/** Delays in milliseconds before the indexer asks a node or the store again. */
export type Pace = {
  /** The first delay after a failed request; it doubles with each further failure. */
  readonly first: number
  readonly longest: number
  /** Before a block on which node and store disagree is requested again. */
  readonly secondThought: number
  /** Between two steps while old heads arrive quickly, so that each step applies many blocks. */
  readonly gather: number
  /** Between checks of a stopped chain's row, which a rewind restarts. */
  readonly stopped: number
  /** Between attempts to trace with a node that has no trace method or lacks the required state. */
  readonly traces: number
  /** Between questions for what is final while the head is the same, or after a refusal. */
  readonly finality: number
  /** Between measurements of how fast a chain catches up; ten seconds if absent. */
  readonly progress?: number
}

/** Gentle enough for a public node, fast enough for a local one. */
export const defaultPace: Pace = {
  first: 250,
  longest: 15_000,
  secondThought: 150,
  gather: 1_000,
  stopped: 1_000,
  traces: 60_000,
  finality: 15_000,
}
