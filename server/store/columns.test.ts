import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { columnsOf, storedTypes, type Table } from './columns.ts'
import { evmTables } from './evm/columns.ts'
import { primaryTables } from './primary/columns.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

const { token_transfers: _decoded, ...storedEvmTables } = evmTables

test.each<[string, Table]>(Object.entries({ ...storedEvmTables, ...primaryTables }))(
  'the catalogue has the columns and the key of %s as PostgreSQL has them',
  async (name, table) => {
    const rows = await store.database<{ name: string; type: string; nullable: boolean; place: number }[]>`
      select a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
        coalesce(array_position(i.indkey::int2[], a.attnum), -1)::int as place
      from pg_attribute a join pg_index i on i.indrelid = a.attrelid and i.indisprimary
      where a.attrelid = ${`public.${name}`}::regclass and a.attnum > 0 and not a.attisdropped`
    const stored = new Map(rows.map((row) => [row.name, row]))
    for (const { name: column, kind, isNullable, isStored } of columnsOf(table)) {
      // Of a header without a difficulty, PostgreSQL has 0.
      const nullable = isNullable && column !== 'difficulty'
      const expected = isStored ? { type: storedTypes[kind], nullable } : undefined
      const found = stored.get(column)
      expect([column, found && { type: found.type, nullable: found.nullable }]).toEqual([column, expected])
    }
    const key = rows.filter(({ place }) => place >= 0).toSorted((one, other) => one.place - other.place)
    expect(key.flatMap(({ name: column }) => (column === 'chain' ? [] : [column]))).toEqual(table.key)
    // What blocks have beside are sums, by which metrics are counted.
    const known = new Set(['chain', ...Object.keys(table.columns)])
    const further = [...stored.keys()].filter((column) => !known.has(column))
    expect(
      further.filter((column) => !/^(cum_|day_max_|second_|previous_ts|settled_height)/.test(column)),
    ).toEqual([])
  },
)
