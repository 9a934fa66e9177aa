import { classify, FatalError } from '../kernel/errors.ts'
import { pause } from '../kernel/pause.ts'

/** How a sealer repeats its rounds. */
export type Rounds = {
  readonly signal: AbortSignal
  /** Whether to end when everything is sealed, instead of waiting for more. */
  readonly once: boolean
  /** Milliseconds between two looks. */
  readonly every?: number
  /** Called when node or store failed and will be asked again. */
  onFailure(reason: string): void
}

const defaultIntervalMs = 10_000

/** Does a round of work again and again until the signal aborts, whatever fails meanwhile. Throws only FatalError. */
export async function repeat(
  { signal, once, every = defaultIntervalMs, onFailure }: Rounds,
  round: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await round()
    } catch (error) {
      if (signal.aborted) return
      const failure = classify(error)
      if (once || failure instanceof FatalError) throw failure
      onFailure(failure.message)
    }
    if (once) return
    await pause(every, signal)
  }
}
