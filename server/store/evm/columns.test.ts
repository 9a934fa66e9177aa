import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { columnsOf, evmTableNames } from './columns.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

/** PostgreSQL's type of each kind that a table of an EVM chain has. */
const types: Readonly<Record<string, string>> = {
  height: 'bigint',
  seconds: 'bigint',
  gas: 'bigint',
  integer: 'integer',
  small: 'smallint',
  boolean: 'boolean',
  word: 'numeric',
  amount: 'numeric',
  hex: 'bytea',
  text: 'text',
}

test.each(evmTableNames.filter((name) => name !== 'token_transfers'))(
  'the catalogue has the columns of %s that PostgreSQL has, with their types',
  async (table) => {
    const rows = await store.database<{ name: string; type: string; nullable: boolean }[]>`
      select column_name as name, data_type as type, is_nullable = 'YES' as nullable from information_schema.columns
      where table_schema = 'public' and table_name = ${table}`
    const stored = new Map(rows.map(({ name, ...rest }) => [name, rest]))
    for (const { name, kind, isNullable, isStored } of columnsOf(table)) {
      // Of a header without a difficulty, PostgreSQL has 0.
      const nullable = isNullable && name !== 'difficulty'
      const expected = isStored ? { type: types[kind], nullable } : undefined
      expect([name, stored.get(name)]).toEqual([name, expected])
    }
    // What blocks have beside are sums, by which metrics are counted.
    const known = new Set(['chain', ...columnsOf(table).map(({ name }) => name)])
    const further = [...stored.keys()].filter((name) => !known.has(name))
    expect(
      further.filter((name) => !/^(cum_|day_max_|second_|previous_ts|settled_height)/.test(name)),
    ).toEqual([])
  },
)
