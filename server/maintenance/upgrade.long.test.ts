import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainConfig, digest, startIndexer, storedHead, until } from '../indexer/testing/harness.ts'
import { SimulatedChain } from '../indexer/testing/simulated-chain.ts'
import { SimulatedNode } from '../indexer/testing/simulated-node.ts'
import { LockedError } from '../kernel/errors.ts'
import type { Database } from '../store/database.ts'
import { columnStatements, migrate } from '../store/migrate.ts'
import { migrations } from '../store/migrations/list.ts'
import { ensurePartitions } from '../store/partitions.ts'
import { StoreSession } from '../store/session.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { planUpgrade } from './upgrade.ts'

/*
 * The schema `public` has what the current version indexes; `old` is the store of an earlier version with the same
 * rows, as far as it had their tables and columns.
 */
const chain = new SimulatedChain(18)
const node = new SimulatedNode({ chain })
let store: TestDatabase
let old: Database

beforeAll(async () => {
  store = await createTestDatabase()
  chain.mine(300)
  const indexer = startIndexer(
    store.database,
    chainConfig({ evmChainId: chain.id, rpcUrl: await node.start() }),
  )
  await until(
    'the chain is indexed',
    async () => (await storedHead(store.database, chain.id))?.number === 300,
  )
  await indexer.stop()
  // No row of an earlier version tells why a transaction failed.
  await store.database`update transactions set error = null, output = null, failing_call = null`
  const [row] = await store.database<{ name: string }[]>`select current_database() as name`
  await store.database.unsafe(`alter database ${row?.name} set search_path = old, public`)
  old = store.open()
})
afterAll(async () => {
  await node.stop()
  await store.drop()
})

/** The migrations up to the one with a number. */
const upTo = (number: string) =>
  migrations.slice(0, migrations.findIndex(({ name }) => name.startsWith(number)) + 1)

/** A store of the version whose last migration has this number, with the chain's rows. */
async function makeOld(number: string): Promise<void> {
  await store.database.unsafe('drop schema if exists old cascade; create schema old')
  await migrate(old, upTo(number))
  await ensurePartitionsOf(number)
  const tables = await old<{ table: string; columns: string }[]>`
    select c.relname as table, string_agg(quote_ident(a.attname), ', ') as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'old'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('migrations', 'service')
    group by c.relname`
  for (const { table, columns } of tables)
    await old.unsafe(`insert into old.${table} (${columns}) select ${columns} from public.${table}`)
}

/** The partitions of the tables that the version had. */
async function ensurePartitionsOf(number: string): Promise<void> {
  if (number >= '0013') {
    await ensurePartitions(old, BigInt(chain.id), 0n, 300n)
    return
  }
  for (const table of ['blocks', 'transactions', 'logs', 'calls', 'contracts'])
    await old.unsafe(
      `create table ${table}_${chain.id}_0 partition of ${table} for values from (${chain.id}, 0) to (${chain.id}, 5000000)`,
    )
}

const columns = () => old`
  select table_name, column_name from information_schema.columns where table_schema = 'old' order by 1, ordinal_position`

for (const number of ['0003', '0013', '0020'])
  test(`a store of version ${number} upgrades to the rows that this version indexes`, async () => {
    await makeOld(number)
    const before = await old`select * from old.blocks limit 1`
    expect(before[0]).not.toHaveProperty(number < '0014' ? 'cum_burned' : 'cum_nothing')
    await migrate(old)
    expect(await digest(old, chain.id)).toEqual(await digest(store.database, chain.id))
  })

test('a failed migration leaves the old state', async () => {
  await makeOld('0013')
  const [schema, rows] = [
    await columns(),
    await old`select md5(string_agg(b::text, '' order by number)) from old.blocks b`,
  ]
  const broken = [
    ...migrations,
    { name: '9999-broken', sql: 'select 1 / 0', columns: { blocks: ['extra text'] } },
  ]
  await expect(migrate(old, broken)).rejects.toThrow('division by zero')
  expect(await columns()).toEqual(schema)
  expect(await old`select md5(string_agg(b::text, '' order by number)) from old.blocks b`).toEqual(rows)
  expect(await old`select name from old.migrations order by name`).toHaveLength(upTo('0013').length)
})

test('the plan names the pending migrations, what they do to which tables, and grows with these', async () => {
  await makeOld('0013')
  const schema = await columns()
  const { applied, pending } = await planUpgrade(old)
  expect(applied).toBe(upTo('0013').length)
  expect(pending.map(({ name }) => name)).toEqual(migrations.slice(applied).map(({ name }) => name))
  const plan = (number: string) => pending.find(({ name }) => name.startsWith(number))
  expect(plan('0014')).toMatchObject({
    reads: ['blocks'],
    writes: ['blocks'],
    indexes: [],
  })
  expect(plan('0016')).toMatchObject({
    reads: ['blocks', 'transactions'],
    writes: ['blocks'],
  })
  expect(plan('0018')).toMatchObject({
    reads: ['token_blocks', 'tokens'],
    indexes: ['tokens'],
  })
  expect(plan('0025')).toMatchObject({ writes: [] })
  const [size] = await old<{ bytes: bigint }[]>`select pg_total_relation_size('old.blocks_43113_0') as bytes`
  expect(plan('0014')?.bytes).toBe(Number(size?.bytes))
  const [tokens] = await old<{ bytes: bigint }[]>`select pg_total_relation_size('old.tokens') as bytes`
  // Its rows once more, and a quarter of them for the new indexes.
  expect(plan('0018')?.bytes).toBe(1.25 * Number(tokens?.bytes))
  // Nothing was changed, and nothing is left.
  expect(await columns()).toEqual(schema)
  expect(await old`select from pg_namespace where nspname = 'ridgeline_upgrade_check'`).toHaveLength(0)
})

test('an upgrade that was killed after it had added columns goes on where it ended', async () => {
  await makeOld('0013')
  for (const migration of migrations.slice(upTo('0013').length))
    for (const statement of columnStatements(migration)) await old.unsafe(statement)
  await migrate(old)
  expect(await digest(old, chain.id)).toEqual(await digest(store.database, chain.id))
})

/** Whether a session waits for a lock of that kind on a table or an advisory key. */
const isWaiting = async (what: string, mode: string) => {
  const rows = await store.database`
    select from pg_locks where not granted and mode = ${mode}
      and database = (select oid from pg_database where datname = current_database())
      and (relation = to_regclass(${`old.${what}`}) or (locktype = 'advisory' and objid::text = ${what}))`
  return rows.length > 0
}

test('reads of all tables go on while the migrations run, and no indexer starts', async () => {
  await makeOld('0003')
  const tables = await old<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'old'::regnamespace and relkind in ('r', 'p') and not relispartition`
  // The lock is held until every table was read: then all migrations are done, and nothing is committed.
  const gate = await store.open({ max: 1 }).reserve()
  await gate`select pg_advisory_lock(18)`
  const migrating = migrate(old, [...migrations, { name: '9999-gate', sql: 'select pg_advisory_lock(18)' }])
  migrating.catch(() => undefined)
  await until('all migrations ran', () => isWaiting('18', 'ExclusiveLock'))
  const reader = await store.open({ max: 1 }).reserve()
  await reader`set lock_timeout = 50`
  for (const { name } of tables) await reader.unsafe(`select * from old.${name} limit 1`)
  expect(await reader`select cum_burned from old.blocks where number = 300`).toEqual([{ cum_burned: '0' }])
  const session = new StoreSession(store.database, chain.id, new AbortController().signal)
  await expect(session.open()).rejects.toThrow(LockedError)
  reader.release()
  await gate`select pg_advisory_unlock(18)`
  gate.release()
  await migrating
  expect(await old`select to_regclass('old.seen_first_block_brin') as index`).toEqual([{ index: null }])
})

test('readers do not queue behind a migration that waits for a long transaction', async () => {
  await makeOld('0013')
  const [long, short] = await Promise.all([1, 2].map(() => store.open({ max: 1 }).reserve()))
  await long?.unsafe('begin; select from old.blocks limit 1')
  const migrating = migrate(old)
  migrating.catch(() => undefined)
  await until('the migration waits', () => isWaiting('blocks', 'AccessExclusiveLock'))
  await short?.unsafe('select from old.blocks limit 1')
  await long?.unsafe('commit')
  await migrating
  expect(await digest(old, chain.id)).toEqual(await digest(store.database, chain.id))
  long?.release()
  short?.release()
})

test('an old index that is in use at the end is dropped by the next start', async () => {
  await makeOld('0003')
  const long = await store.open({ max: 1 }).reserve()
  await long.unsafe('begin; select from old.seen limit 1')
  const news: string[] = []
  await migrate(old, migrations, (text) => news.push(text))
  expect(news).toEqual([
    expect.stringMatching(/^the next start completes 0004-seen-index: a table was in use/),
  ])
  const there = () => old`select to_regclass('old.seen_first_block_brin') is not null as there`
  expect(await there()).toEqual([{ there: true }])
  await long.unsafe('commit')
  long.release()
  await migrate(old)
  expect(await there()).toEqual([{ there: false }])
  expect(await old`select key from service where starts_with(key, 'after-')`).toHaveLength(0)
})

test('nothing is changed while an indexer of the old version runs', async () => {
  await makeOld('0013')
  const schema = await columns()
  const session = new StoreSession(store.database, chain.id, new AbortController().signal)
  await session.open()
  await expect(migrate(old)).rejects.toThrow(LockedError)
  expect(await columns()).toEqual(schema)
  await session.close()
})

test('a database of a newer version is refused, and one up to date needs nothing', async () => {
  await store.database.unsafe('drop schema if exists old cascade')
  expect(await planUpgrade(store.database)).toEqual({ applied: migrations.length, pending: [] })
  await expect(planUpgrade(store.database, upTo('0023'))).rejects.toThrow('0025-version-samples')
})
