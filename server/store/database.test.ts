import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

afterAll(() => testDatabase.drop())

describe('a transaction', () => {
  test('keeps its connection when every connection of the pool is busy', async () => {
    const sql = testDatabase.database
    const connections = 6
    const each = (run: () => Promise<unknown>) => Promise.all(Array.from({ length: connections }, run))
    await each(() => sql`select 1`.execute())
    // One statement runs on each connection, and none is queued yet.
    const busy = each(() => sql`select pg_sleep(0.2)`.execute())
    const transactions = Array.from({ length: connections }, () =>
      sql.begin(async (own) => {
        const [first] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`
        await own`select pg_sleep(0.01)`
        const [second] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`
        return [first?.pid, second?.pid]
      }),
    )
    for (const [first, second] of await Promise.all(transactions)) {
      expect(first).toBeTypeOf('number')
      expect(second).toBe(first)
    }
    await busy
  })
})
