import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BrokenOff, WholeRows } from './whole-rows.ts'

let connection: DuckDBConnection
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => connection?.closeSync())

async function read(sql: string): Promise<{ names: string[]; rows: unknown[][] }> {
  const result = await WholeRows.open(connection, sql)
  const rows: unknown[][] = []
  for (let some = await result.next(); some; some = await result.next())
    rows.push(...some.rows((value) => value))
  return { names: result.columns.map(({ name }) => name), rows }
}

// A chunk of the engine has 2,048 rows: the end may have one of its own.
test.each([0, 1, 2_047, 2_048, 2_049, 10_000])(
  '%i rows are read whole, and without the mark',
  async (count) => {
    const { names, rows } = await read(`select range a, true a from range(${count})`)
    expect(names).toEqual(['a', 'a'])
    expect(rows).toEqual(Array.from({ length: count }, (_, n) => [BigInt(n), true]))
  },
)

test('an error after the first rows is not taken for the end', async () => {
  const sql = "select case when range = 3000000 then error('broken') else 1 end from range(4000000)"
  const result = await WholeRows.open(connection, sql)
  expect((await result.next())?.count).toBe(2_048)
  const rest = async (): Promise<void> => {
    while (await result.next());
  }
  await expect(rest()).rejects.toThrow(BrokenOff)
})

test('neither is an interruption', async () => {
  const result = await WholeRows.open(connection, 'select * from range(1000000000)')
  expect((await result.next())?.count).toBe(2_048)
  connection.interrupt()
  const rest = async (): Promise<void> => {
    while (await result.next());
  }
  await expect(rest()).rejects.toThrow(BrokenOff)
})
