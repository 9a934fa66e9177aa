import { type Database, openDatabase } from '../store/database.ts'

/** A migrated, empty database on the shared server, which those of the tests are copies of. */
export const migratedTemplate = 'migrated'

/** Runs an action on a database of the server, over a connection of its own. */
export async function withServer(url: string, action: (sql: Database) => Promise<unknown>): Promise<void> {
  const sql = openDatabase(url, { max: 1 })
  try {
    await action(sql)
  } finally {
    await sql.end()
  }
}
