import type { Database, Queryable } from './database.ts'

/** PostgreSQL's code for a lock that was not free within lock_timeout. */
const lockNotAvailable = '55P03'

/**
 * Runs a transaction that waits for each lock at most some milliseconds, because whoever comes meanwhile queues behind it.
 * Resolves with the error of a lock that was not free, after which nothing has changed; undefined if all is done.
 */
export async function withinLockTimeout(
  database: Database,
  milliseconds: number,
  action: (sql: Queryable) => Promise<unknown>,
): Promise<unknown> {
  try {
    await database.begin(async (sql) => {
      await sql.unsafe(`set local lock_timeout = ${milliseconds}`)
      await action(sql)
    })
    return undefined
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return error
    throw error
  }
}
