import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../store/database.ts'
import { migrations } from '../store/schema/migrations.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { madeUp, type MadeUpStore, openMadeUp } from '../testing/made-up-store.ts'
import { planUpgrade } from './upgrade.ts'

/* What an upgrade costs, with made-up migrations. */
let store: TestDatabase
let made: MadeUpStore
let database: Database
beforeAll(async () => {
  store = await createTestDatabase()
  made = await openMadeUp(store)
  database = made.database
})
afterAll(() => store.drop())

const columns = () => database`
  select table_name, column_name from information_schema.columns where table_schema = 'made' order by 1, ordinal_position`

const sizeOf = async (table: string): Promise<number> => {
  const [size] = await database<{ bytes: bigint }[]>`select pg_total_relation_size(${table}) as bytes`
  return Number(size?.bytes)
}

test('the plan names the pending migrations, what they do to which tables, and grows with these', async () => {
  await made.make(1)
  const schema = await columns()
  const { applied, pending } = await planUpgrade(database, madeUp)
  expect(applied).toBe(1)
  expect(pending).toMatchObject([
    {
      name: '0002-sums',
      reads: ['blocks'],
      writes: ['blocks'],
      indexes: [],
      bytes: await sizeOf('blocks_1_0'),
    },
    {
      name: '0003-order',
      reads: ['blocks'],
      writes: ['tokens'],
      indexes: ['tokens'],
      // Its rows once more, and a quarter of them for the new index.
      bytes: 1.25 * (await sizeOf('tokens')),
    },
    { name: '0004-notes', reads: [], writes: [], indexes: [], bytes: 0, seconds: 0 },
  ])
  const [small] = pending
  await database`insert into blocks (chain, number, gas) select 1, n, n from generate_series(1000, 20000) n`
  const [large] = (await planUpgrade(database, madeUp)).pending
  expect(large?.seconds).toBeGreaterThan(10 * (small?.seconds ?? Infinity))
  // Nothing was changed, and nothing is left.
  expect(await columns()).toEqual(schema)
  expect(await database`select from pg_namespace where nspname = 'ridgeline_upgrade_check'`).toHaveLength(0)
})

test('of an applied migration nothing is planned', async () => {
  await made.make(3)
  const { applied, pending } = await planUpgrade(database, madeUp)
  expect(applied).toBe(3)
  expect(pending.map(({ name }) => name)).toEqual(['0004-notes'])
})

test('a newer database is refused, and one up to date needs nothing', async () => {
  await made.make(4)
  expect(await planUpgrade(database, madeUp)).toEqual({ applied: 4, pending: [] })
  await expect(planUpgrade(database, madeUp.slice(0, 3))).rejects.toThrow('0004-notes')
})

test('the schema is planned for an empty database, and needs nothing afterwards', async () => {
  const own = await createTestDatabase()
  expect(await planUpgrade(own.database)).toEqual({ applied: migrations.length, pending: [] })
  await own.database.unsafe('drop schema public cascade; create schema public')
  expect(await planUpgrade(own.database)).toMatchObject({
    applied: 0,
    pending: migrations.map(({ name }) => ({ name, bytes: 0 })),
  })
  await own.drop()
})
