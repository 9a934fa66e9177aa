import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { bytes, named, nullsOf, read, readNamed } from './read.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

test.each([
  ['a type that the driver gives otherwise', 'select 1::bigint as number', 'number'],
  ['a null', 'select null::integer as number', 'number'],
  ['a missing column', 'select 1 as count', 'number'],
  ['a column that nobody reads', 'select 1 as number, 2 as count', 'count'],
])('%s fails the test that reads it', async (_what, statement, column) => {
  const shape = z.strictObject({ number: z.number() })
  await expect(read(store.database, shape, statement, [])).rejects.toThrow(column)
})

test('the row of an outer join that found none is all null', async () => {
  const found = z.strictObject({ id: bytes, count: z.bigint() })
  const shape = z.union([found, nullsOf(found)])
  const statement = `
    select v.id, v.count from generate_series(1, 2) n
    left join (values (1, '\\x01'::bytea, $1::bigint)) v (n, id, count) using (n) order by n`
  expect(await read(store.database, shape, statement, [7n])).toEqual([
    { id: Buffer.from([1]), count: 7n },
    { id: null, count: null },
  ])
  await expect(read(store.database, found, statement, [7n])).rejects.toThrow('count')
})

test('named parameters are bound by name, each once, and only those that are used', async () => {
  const statement = named<'low' | 'high' | 'unused'>(
    ($) => `select ${$.high}::text as high, ${$.low}::text as low, ${$.high}::text as again`,
  )
  expect(statement).toEqual({
    text: 'select $1::text as high, $2::text as low, $1::text as again',
    names: ['high', 'low'],
  })
  const row = z.strictObject({ high: z.string(), low: z.string(), again: z.string() })
  expect(await readNamed(store.database, row, statement, { unused: 'no', low: 'l', high: 'h' })).toEqual([
    { high: 'h', low: 'l', again: 'h' },
  ])
})
