import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bulkLoad } from '../../server/lake/bulk/load.ts'
import { openEngine, type LakeEngine } from '../../server/lake/engine.ts'
import { loadLake } from '../../server/lake/load.ts'
import type { Manifest } from '../../server/lake/manifest.ts'
import { verifyLake } from '../../server/lake/verify-lake.ts'
import { createTestDatabase, type TestDatabase } from '../../server/testing/database.ts'
import { writeScaleRange } from './lake.ts'
import { addressAt, scaleChain, transactionsUpTo } from './rows.ts'

const blocksPerRange = 30

let folder: string
let engine: LakeEngine
let store: TestDatabase

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-scale-'))
  engine = await openEngine(folder)
  store = await createTestDatabase()
})

afterAll(async () => {
  await store?.drop()
  engine?.close()
  await rm(folder, { recursive: true, force: true })
})

const write = (root: string, at: number, before: Manifest | undefined, hashed: boolean) =>
  writeScaleRange(
    root,
    { from: at * blocksPerRange, to: (at + 1) * blocksPerRange - 1 },
    { engine, before, hashed },
  )

const loadOptions = () => ({
  root: join(folder, 'loaded'),
  chain: scaleChain,
  engine,
  signal: new AbortController().signal,
})

test('a generated lake with hashes passes the recount', async () => {
  const root = join(folder, 'hashed')
  const first = await write(root, 0, undefined, true)
  await write(root, 1, first, true)
  const report = await verifyLake({ ...loadOptions(), root, filesOnly: false })
  expect(report.problems).toEqual([])
  expect(report.rows.transactions).toBe(transactionsUpTo(2 * blocksPerRange - 1))
})

test('a generated lake without hashes is loaded in bulk, then a range with hashes in the ordinary way', async () => {
  const { root } = loadOptions()
  const first = await write(root, 0, undefined, true)
  const second = await write(root, 1, first, false)
  await bulkLoad({ ...loadOptions(), database: store.database, home: folder })
  await write(root, 2, second, true)
  await loadLake({ ...loadOptions(), database: store.database })
  expect(await stored()).toEqual(await recounted(root))
})

/** Counts and sums of the store. */
async function stored() {
  const [row] = await store.database.unsafe(`
    select (select count(*) from blocks) as blocks, (select count(*) from transactions) as transactions,
      (select sum(value) from transactions) as value, (select sum(fees) from blocks) as fees,
      (select count(*) from logs) as logs, (select count(*) from calls) as calls,
      (select sum(value) from calls) as inner_value, (select count(*) from contracts) as contracts,
      (select sum(cum_transfers) from (
        select distinct on (token, kind) cum_transfers from token_blocks order by token, kind, number desc) t) as transfers,
      (select sum(balance) from holders where token = decode('${addressAt('coin', 0).slice(2)}', 'hex')) as held,
      (select cum_addresses from blocks order by number desc limit 1) as addresses,
      (select count(*) from transactions where sender = decode('${addressAt('person', 0).slice(2)}', 'hex')) as sent`)
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, String(value)]))
}

/** The same, from the files alone. */
async function recounted(root: string) {
  const connection = await engine.connect()
  const from = (table: string) => `'${join(root, `${scaleChain}`, table)}/*.parquet'`
  const transfers = from('token_transfers')
  const reader = await connection.runAndReadAll(`
    select (select count(*) from ${from('blocks')}) as blocks, (select count(*) from ${from('transactions')}) as transactions,
      (select sum(value::hugeint) from ${from('transactions')}) as value,
      (select sum(gas_used::hugeint * gas_price::hugeint) from ${from('transactions')}) as fees,
      (select count(*) from ${from('logs')}) as logs, (select count(*) from ${from('calls')}) as calls,
      (select sum(value::hugeint) from ${from('calls')}) as inner_value,
      (select count(*) from ${from('contracts')}) as contracts, (select count(*) from ${transfers}) as transfers,
      (select sum(case when party = 0 then -amount::hugeint else amount::hugeint end)
        from ${transfers}, range(2) p(party)
        where token = '${addressAt('coin', 0)}' and case when party = 0 then sender else recipient end <> '0x${'0'.repeat(40)}') as held,
      (select count(distinct party) from (
        select unnest([sender, recipient]) as party from ${from('transactions')}
        union all select unnest([sender, recipient]) from ${transfers})
        where party <> '0x${'0'.repeat(40)}') as addresses,
      (select count(*) from ${from('transactions')} where sender = '${addressAt('person', 0)}') as sent`)
  connection.closeSync()
  const [row = {}] = reader.getRowObjectsJson()
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))
}
