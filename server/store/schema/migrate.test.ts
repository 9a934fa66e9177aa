import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FatalError, LockedError } from '../../kernel/errors.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { madeUp, type MadeUpStore, openMadeUp } from '../../testing/made-up-store.ts'
import type { Database } from '../database.ts'
import { StoreSession } from '../session.ts'
import { clearDatabase, columnStatements, migrate, OtherSchemaError } from './migrate.ts'
import { migrations } from './migrations.ts'

/* How migrations are applied, with made-up ones: the first three versions of a store are its first, second and third. */
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

const applied = async (): Promise<string[]> =>
  (await database<{ name: string }[]>`select name from migrations order by applied_ts, name`).map(
    ({ name }) => name,
  )

const hasIndex = async (name: string): Promise<boolean> => {
  const rows = await database`select from pg_indexes where schemaname = 'made' and indexname = ${name}`
  return rows.length > 0
}

async function expectUpToDate(): Promise<void> {
  expect(await applied()).toEqual(madeUp.map(({ name }) => name))
  expect(await database`select cum_gas from blocks where number in (2, 300) order by number`).toEqual([
    { cum_gas: '3' },
    { cum_gas: '45150' },
  ])
  expect(await database`select gas, note from tokens where token = 't9'`).toEqual([{ gas: '9', note: null }])
  expect(await hasIndex('tokens_gas')).toBe(true)
  expect(await hasIndex('tokens_number')).toBe(false)
  expect(await database`select from notes`).toEqual([])
}

/** Whether a session waits for a lock of that kind on a table or an advisory key. */
const isWaiting = async (what: string, mode: string) => {
  const rows = await database`
    select from pg_locks where not granted and mode = ${mode}
      and database = (select oid from pg_database where datname = current_database())
      and (relation = to_regclass(${what}) or (locktype = 'advisory' and objid::text = ${what}))`
  return rows.length > 0
}

describe.each([1, 2, 3])('a store of version %i', (version) => {
  beforeEach(() => made.make(version))

  test('is brought up to date', async () => {
    expect(await applied()).toHaveLength(version)
    await migrate(database, madeUp)
    await expectUpToDate()
  })

  test('is left as it was by a migration that fails', async () => {
    const schema = await columns()
    const rows = await database`select md5(string_agg(b::text, '' order by number)) from blocks b`
    const broken = [
      ...madeUp,
      { name: '9999-broken', sql: 'select 1 / 0', columns: { blocks: ['extra text'] } },
    ]
    await expect(migrate(database, broken)).rejects.toThrow('division by zero')
    expect(await columns()).toEqual(schema)
    expect(await database`select md5(string_agg(b::text, '' order by number)) from blocks b`).toEqual(rows)
    expect(await applied()).toHaveLength(version)
  })

  test('continues where an upgrade was killed that had added columns', async () => {
    for (const migration of madeUp.slice(version))
      for (const statement of columnStatements(migration)) await database.unsafe(statement)
    await migrate(database, madeUp)
    await expectUpToDate()
  })
})

test('several processes may start together', async () => {
  await made.make(1)
  await Promise.all([migrate(database, madeUp), migrate(made.open(), madeUp)])
  await expectUpToDate()
})

test('reads of all tables go on while the migrations run, and no indexer starts', async () => {
  await made.make(1)
  // The lock is held until every table was read: then all migrations are done, and nothing is committed.
  const gate = await made.open().reserve()
  await gate`select pg_advisory_lock(18)`
  const migrating = migrate(database, [...madeUp, { name: '9999-gate', sql: 'select pg_advisory_lock(18)' }])
  migrating.catch(() => undefined)
  await expect.poll(() => isWaiting('18', 'ExclusiveLock')).toBe(true)
  const reader = await made.open().reserve()
  await reader`set lock_timeout = 50`
  for (const table of ['service', 'chains', 'primary_chains', 'tokens'])
    await reader.unsafe(`select * from ${table} limit 1`)
  expect(await reader`select cum_gas from blocks where number = 300`).toEqual([{ cum_gas: '0' }])
  const session = new StoreSession(database, 1, new AbortController().signal)
  await expect(session.open()).rejects.toThrow(LockedError)
  reader.release()
  await gate`select pg_advisory_unlock(18)`
  gate.release()
  await migrating
  expect(await hasIndex('tokens_number')).toBe(false)
})

test('readers do not queue behind a migration that waits for a long transaction', async () => {
  await made.make(1)
  const [long, short] = await Promise.all([1, 2].map(() => made.open().reserve()))
  await long?.unsafe('begin; select from blocks limit 1')
  const migrating = migrate(database, madeUp)
  migrating.catch(() => undefined)
  await expect.poll(() => isWaiting('blocks', 'AccessExclusiveLock')).toBe(true)
  await short?.unsafe('select from blocks limit 1')
  await long?.unsafe('commit')
  await migrating
  await expectUpToDate()
  long?.release()
  short?.release()
})

test('what is in use at the end is done by the next start', async () => {
  await made.make(2)
  // The columns, which need the table first, are there already.
  for (const statement of columnStatements(madeUp[2])) await database.unsafe(statement)
  const long = await made.open().reserve()
  await long.unsafe('begin; select from tokens')
  const news: string[] = []
  await migrate(database, madeUp, (text) => news.push(text))
  expect(news).toEqual([expect.stringMatching(/^the next start completes 0003-order: a table was in use/)])
  expect(await hasIndex('tokens_number')).toBe(true)
  await long.unsafe('commit')
  long.release()
  await migrate(database, madeUp)
  await expectUpToDate()
  expect(await database`select key from service where starts_with(key, 'after-')`).toHaveLength(0)
})

test('nothing is changed while an indexer of the old version runs', async () => {
  await made.make(1)
  const schema = await columns()
  const session = new StoreSession(database, 1, new AbortController().signal)
  await session.open()
  await expect(migrate(database, madeUp)).rejects.toThrow(LockedError)
  expect(await columns()).toEqual(schema)
  await session.close()
})

test('a database of a newer version is refused', async () => {
  await made.make(4)
  const older = migrate(database, madeUp.slice(0, 2))
  await expect(older).rejects.toThrow(FatalError)
  await expect(older).rejects.toThrow(
    'written by a newer version (migration 0003-order, 0004-notes is unknown)',
  )
})

test('a database with another first migration is refused with what to do, and left as it is', async () => {
  await made.make(2)
  const schema = await columns()
  const [first, ...later] = madeUp
  const other = migrate(database, [{ ...first, name: '0001-edited' }, ...later])
  await expect(other).rejects.toThrow(OtherSchemaError)
  await expect(other).rejects.toThrow(/another unreleased version \(0002-sums\).*DATABASE_URL/)
  expect(await columns()).toEqual(schema)
})

test('a cleared database is made anew', async () => {
  const own = await createTestDatabase()
  await own.database`insert into service (key, value) values ('left', 'over')`
  await clearDatabase(own.database)
  await migrate(own.database)
  expect(await own.database`select name from migrations`).toEqual(migrations.map(({ name }) => ({ name })))
  expect(await own.database`select key from service`).toEqual([{ key: 'token-secret' }])
  await own.drop()
})
