import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
})

afterAll(() => test.drop())

describe('a transaction', () => {
  it('keeps its connection when every connection of the pool is busy', async () => {
    const sql = test.database
    const busy = Array.from({ length: 24 }, () => sql`select pg_sleep(0.05)`)
    const transactions = Array.from({ length: 12 }, () =>
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
    await Promise.all(busy)
  })
})
