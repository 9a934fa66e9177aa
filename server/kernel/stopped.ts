import { delayAfter, pause, type Pace } from './pause.ts'

/** The longest time until a stopped chain is examined again, in milliseconds. */
const longestStop = 300_000

/**
 * Waits until a stopped chain is to be examined again: at once when its row no longer says that it is stopped, as after a
 * rewind, and otherwise after a back-off, for ever. No state of a chain is the end of it: a node may have answered wrongly
 * once, or its key may be valid again. `stops` counts the stops since the chain last went on, from 1.
 */
export async function waitStopped(
  pace: Pace,
  stops: number,
  isStopped: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  const again = delayAfter(stops, { first: pace.longest, longest: longestStop })
  const began = performance.now()
  while (!signal.aborted && performance.now() - began < again) {
    await pause(Math.min(pace.stopped, again), signal)
    if (signal.aborted || !(await isStopped())) return
  }
}
