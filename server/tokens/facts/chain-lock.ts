import { connectLike } from '../../store/session.ts'
import { pause } from '../../kernel/pause.ts'
import type { Database } from '../../store/database.ts'

/** Lock space of the workers that read token metadata from nodes; the second key is the chain. */
const factsSpace = 7103

/** Milliseconds between checks of a lock that another process holds. */
const patience = 5_000

/**
 * Runs an action while this process holds the chain's lock for token metadata; waits for the lock first. The
 * action's signal aborts with the given one, and when the connection that holds the lock is lost.
 */
export async function withFactsLock(
  database: Database,
  chain: number,
  signal: AbortSignal,
  action: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const stop = (): void => lost.abort()
  signal.addEventListener('abort', stop, { once: true })
  const sql = connectLike(database, stop)
  try {
    while (!lost.signal.aborted) {
      const [row] = await sql<{ locked: boolean }[]>`
        select pg_try_advisory_lock(${factsSpace}, ${chain % 2_147_483_647}) as locked`
      if (row?.locked === true) return await action(lost.signal)
      await pause(patience, lost.signal)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    await sql.end({ timeout: 1 })
  }
}
