import type { FastifyBaseLogger } from 'fastify'
import { pause, delayAfter } from './pause.ts'

/** Milliseconds until a failed worker restarts: the first and the longest delay. */
const restart = { first: 1_000, longest: 60_000 }

/**
 * Runs a worker until the signal. If it fails, the log has the reason, and it starts again after a pause that grows: its
 * failures neither end the service nor delay others. `what` names it in the log.
 */
export async function keepRunning(
  what: string,
  logger: FastifyBaseLogger,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const started = performance.now()
    try {
      await work()
    } catch (error) {
      if (signal.aborted) return
      if (performance.now() - started > restart.longest) failures = 0
      logger.error({ err: error, what }, 'a worker failed and starts again')
      failures += 1
      await pause(delayAfter(failures, restart), signal)
    }
  }
}
