import { pause } from '../kernel/pause.ts'
import { lockSpace, type Database } from './database.ts'
import { ProcessConnections } from './process-connections.ts'
import { lockKey } from './session.ts'

/** Milliseconds between checks of a lock that another process holds. */
const timeoutMs = 5_000

/**
 * Runs an action while this process holds one of a chain's locks, that of `space`; waits for the lock first. The action's
 * signal aborts with the given one, and when the lock is lost with its connection.
 */
export async function withChainLock(
  database: Database,
  space: keyof typeof lockSpace,
  chain: number,
  signal: AbortSignal,
  action: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const connections = ProcessConnections.of(database)
  while (!signal.aborted) {
    const lock = await connections.tryLock(lockSpace[space], lockKey(chain))
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
