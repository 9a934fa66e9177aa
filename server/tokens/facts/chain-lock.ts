import { ProcessConnections } from '../../store/process-connections.ts'
import { lockKey } from '../../store/session.ts'
import { pause } from '../../kernel/pause.ts'
import type { Database } from '../../store/database.ts'

/** Lock space of the workers that read token metadata from nodes; the second key is the chain. */
const factsSpace = 7103

/** Milliseconds between checks of a lock that another process holds. */
const timeoutMs = 5_000

/**
 * Runs an action while this process holds the chain's lock for token metadata; waits for the lock first. The
 * action's signal aborts with the given one, and when the lock is lost with its connection.
 */
export async function withFactsLock(
  database: Database,
  chain: number,
  signal: AbortSignal,
  action: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const connections = ProcessConnections.of(database)
  while (!signal.aborted) {
    const lock = await connections.tryLock(factsSpace, lockKey(chain))
    if (!lock) {
      await pause(timeoutMs, signal)
      continue
    }
    const lost = new AbortController()
    const forget = lock.onLost(() => lost.abort())
    try {
      return await action(AbortSignal.any([signal, lost.signal]))
    } finally {
      forget()
      await lock.release()
    }
  }
}
