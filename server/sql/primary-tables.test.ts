import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { primaryExportKeys, primaryExportTables, snapshotHeader } from '../../contract/sql/exports.ts'
import recorded from '../../protocol/fixtures/recorded.json' with { type: 'json' }
import { addressOfText, cb58 } from '../../protocol/ids/text.ts'
import type { RecordedNode } from '../indexer/primary/testing/recorded-node.ts'
import { openEngine } from '../lake/engine.ts'
import { extractPrimary } from '../lake/primary/extract.ts'
import {
  indexRewarded,
  plannedEnd,
  recordedGenesis,
  rewardedNetworks,
  rewardedNode,
} from '../lake/primary/testing/rewarded-node.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/config.ts'
import { rowsOfSql, startTestService, type TestService } from '../testing/service.ts'
import { primaryTables } from './primary-tables.ts'

let home: string
let testDatabase: TestDatabase
let node: RecordedNode
let service: TestService
const lake = (name: string): string => join(home, name)

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sql-primary-'))
  vi.stubEnv('TMPDIR', home)
  testDatabase = await createTestDatabase()
  node = rewardedNode()
  const url = await node.start()
  const networks = rewardedNetworks(url, home)
  await indexRewarded(testDatabase.database, networks)
  // A range that ends with the block that proposes a reward, one in the middle of a chain, and all of it.
  const engine = await openEngine(home)
  const source = { nodeUrl: url, genesis: recordedGenesis, concurrency: 4, engine, to: undefined }
  const more = { signal: new AbortController().signal, onWritten: () => undefined }
  for (const [name, p, x] of [
    ['proposed', 14, 2],
    ['some', 9, 4],
    ['all', 21, 5],
  ] as const) {
    await extractPrimary({ ...source, ...more, root: lake(name), chain: 'P', size: p })
    await extractPrimary({ ...source, ...more, root: lake(name), chain: 'X', size: x })
  }
  engine.close()
  const config = testConfig({ networks, lakeFolder: lake('used') })
  service = await startTestService(testDatabase.database, { config: { ...config, home } })
})
afterAll(async () => {
  await service?.close()
  await node?.stop()
  await testDatabase?.drop()
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

const names = primaryTables.map(({ name }) => name)

/** Name, number of rows and digest of every table, in one statement: each starts a process. */
async function everything(): Promise<unknown[][]> {
  const parts = names.map(
    (name) =>
      `select '${name}', count(*), md5(string_agg(t::varchar, chr(10) order by t::varchar)) from ${name} t`,
  )
  return rowsOfSql(service, parts.join(' union all '))
}

/** Runs with a lake in the place of the service's. */
async function withLake<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  renameSync(lake(name), lake('used'))
  return run().finally(() => renameSync(lake('used'), lake(name)))
}

test('every table is the same from the store alone and joined with the files of a lake', async () => {
  const expected = await everything()
  // No validation of the recorded network renews itself.
  expect(expected.filter(([, count]) => count === '0')).toEqual([['staking_cycles', '0', null]])
  expect(expected[0]).toEqual(['p_blocks', '21', expect.any(String)])
  for (const name of ['proposed', 'some', 'all'])
    expect(await withLake(name, everything), name).toEqual(expected)
})

test('the statement of docs/sql.md gives the balances of the API at any time', async () => {
  const page = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')
  const statement = /```sql\n(select u\.asset_id[^`]*)```/.exec(page)?.[1] ?? ''
  const address = recorded.node.address.replace('P-', '')
  const times = await rowsOfSql(
    service,
    `
    select ts from p_utxos union select spent_ts from p_utxos where spent_ts is not null order by 1 desc limit 7`,
  )
  const kinds = { free: 'unlockedUnstaked', staked: 'unlockedStaked' } as const
  const known = new Set<string>()
  const at = (ts: unknown): string =>
    `select '${ts}', * from (${statement.replaceAll('1795000000', String(ts)).replaceAll('fuji1…', address)})`
  const answers = await withLake('some', () =>
    rowsOfSql(service, times.map(([ts]) => at(ts)).join(' union all ')),
  )
  for (const [ts] of times) {
    const found = new Map(answers.filter(([time]) => time === ts).map(([, , state, sum]) => [state, sum]))
    const path = '/v1/networks/fuji/blockchains/p-chain/balances'
    const answer = await service.app.inject(`${path}?addresses=${address}&blockTimestamp=${ts}`)
    const { balances } = answer.json<{ balances: Record<string, { amount: string }[]> }>()
    const amountOf = (bucket: string): bigint => BigInt(balances[bucket]?.[0]?.amount ?? 0)
    const sums = Object.entries(kinds).map(([state, bucket]) => {
      const amount = BigInt(String(found.get(state) ?? 0))
      known.add(`${state} ${amount}`)
      // The API takes a stake for returned at its planned end, also if no block returned it, as of the delegation here.
      if (Number(ts) < plannedEnd) expect(amount, `${state} at ${ts}`).toBe(amountOf(bucket))
      return amount
    })
    const total = Object.values(kinds).reduce((sum, bucket) => sum + amountOf(bucket), 0n)
    expect(
      sums.reduce((sum, each) => sum + each, 0n),
      String(ts),
    ).toBe(total)
  }
  // Several different balances, of both kinds.
  expect(known.size).toBeGreaterThan(5)
})

type Query = Readonly<Record<string, string | number>>

/** Exports from another machine: what the lists show is open to everybody. */
async function exported(table: string, query: Query = {}) {
  const answer = await service.app.inject({
    url: `/v1/networks/testnet/exports/${table}`,
    query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    remoteAddress: '192.0.2.7',
  })
  return answer
}

async function linesOf(table: string, query: Query = {}): Promise<string[]> {
  const answer = await exported(table, query)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.body.split('\n').slice(0, -1)
}

/** The text of a row, without what JSON of SQL and of exports write differently: quotes of numbers, and times. */
const textOf = (json: string): string =>
  json.replaceAll('"', '').replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/g, '$1T$2Z')

describe('exports', () => {
  test('have the rows of the tables in the order of their keys', async () => {
    const selects = primaryExportTables.map((table) => {
      const key = primaryExportKeys[table].map((name) => `"${name}"`).join(', ')
      return `select '${table}', row_number() over (order by ${key}) as n, to_json(t)::varchar from ${table} t`
    })
    const all = await rowsOfSql(service, `${selects.join(' union all ')} order by 1, n`)
    for (const table of primaryExportTables) {
      const expected = all.flatMap(([name, , row]) => (name === table ? [textOf(String(row))] : []))
      expect(expected.length, table).toBeGreaterThan(0)
      expect((await linesOf(table, { format: 'jsonl' })).map(textOf), table).toEqual(expected)
    }
  })

  test('of CSV have a heading, and continue without one behind any row', async () => {
    for (const table of ['p_blocks', 'x_transactions', 'p_utxos'] as const) {
      const [heading = '', ...lines] = await linesOf(table)
      const names = primaryExportKeys[table]
      expect(heading.split(',').slice(1, names.length + 1)).toEqual(names)
      const place = Math.floor(lines.length / 2)
      const after =
        lines[place]
          ?.split(',')
          .slice(1, names.length + 1)
          .join(',') ?? ''
      expect(await linesOf(table, { after }), after).toEqual(lines.slice(place + 1))
    }
  })

  test('select heights, addresses and nodes', async () => {
    const address = recorded.node.address.replace('P-', '')
    const bytes = addressOfText(address, address.split('1')[0] ?? '')
    const [[node] = []] = await rowsOfSql(service, 'select node_id from rewards limit 1')
    const of = `list_contains(owners, '${address}')`
    const asked: [string, Query, string][] = [
      ['p_blocks', { startBlock: 3, endBlock: 6 }, 'from p_blocks where height in (3, 4, 5)'],
      ['x_transactions', { startBlock: 3 }, 'from x_transactions where height >= 3'],
      ['p_utxos', { addresses: address }, `from p_utxos where ${of}`],
      ['x_utxos', { addresses: `X-${address}`, endBlock: 3 }, `from x_utxos where ${of} and height < 3`],
      ['stakers', { nodeIds: String(node) }, `from stakers where node_id = '${String(node)}'`],
    ]
    for (const [table, query, from] of asked) {
      const [[count] = []] = await rowsOfSql(service, `select count(*) ${from}`)
      const all = await linesOf(table)
      const found = await linesOf(table, query)
      expect([table, String(found.length - 1)]).toEqual([table, count])
      expect(found.length, table).toBeLessThan(all.length)
      expect(found.length, table).toBeGreaterThan(1)
      expect(all).toEqual(expect.arrayContaining(found))
    }
    const { database } = testDatabase
    const [transactions] = await database<{ count: bigint }[]>`
      select count(*) from primary_address_transactions where chain = 11 and address = ${bytes}`
    expect(await linesOf('p_transactions', { addresses: address })).toHaveLength(
      Number(transactions?.count) + 1,
    )
    const paid = await database`select 1 from rewards where chain = 11 and ${bytes} = any(addresses)`
    expect(await linesOf('rewards', { addresses: address })).toHaveLength(paid.length + 1)
    const refused = await exported('x_assets', { nodeIds: String(node) })
    expect([refused.statusCode, refused.json<{ message: unknown }>().message]).toEqual([
      400,
      ['nodeIds: x_assets have no such filter'],
    ])
  })

  test('of Parquet have exact amounts, and owners as lists', async () => {
    const { rawPayload, headers } = await exported('p_utxos', { format: 'parquet' })
    expect(headers['content-disposition']).toBe('attachment; filename="p_utxos-fuji-0-20.parquet"')
    const file = join(home, 'utxos.parquet')
    writeFileSync(file, rawPayload)
    const engine = await openEngine(home)
    const connection = await engine.connect()
    const sum = 'sum(amount::hugeint)::varchar, sum(len(owners))::varchar'
    const read = await connection.runAndReadAll(`select ${sum}, any_value(typeof(amount)) from '${file}'`)
    connection.closeSync()
    engine.close()
    expect(read.getRowsJson()).toEqual([
      [...((await rowsOfSql(service, `select ${sum} from p_utxos`))[0] ?? []), 'VARCHAR'],
    ])
  })

  test('are as of a block', async () => {
    const { database } = testDatabase
    const before = await exported('p_blocks')
    const snapshot = String(before.headers[snapshotHeader])
    await database`insert into primary_blocks
      select (jsonb_populate_record(b, '{"height": 21}')).* from primary_blocks b where chain = 11 and height = 20`
    try {
      expect(await linesOf('p_blocks')).toHaveLength(23)
      expect(await linesOf('p_blocks', { after: 18, snapshot })).toEqual(
        before.body.split('\n').slice(20, -1),
      )
    } finally {
      await database`delete from primary_blocks where chain = 11 and height = 21`
    }
    const [, id = ''] = snapshot.split('-')
    expect((await exported('p_blocks', { snapshot: `19-${id}` })).statusCode).toBe(409)
  })
})

test('samples of validators are the last ones of each hour of a week', async () => {
  const { database } = testDatabase
  const [sample] = await database<{ node: Buffer; tx_id: Buffer; ts: bigint }[]>`
    select node, tx_id, max(ts) as ts from uptime_samples group by 1, 2 order by 2 limit 1`
  if (!sample) throw new Error('no sample')
  const { node: id, tx_id: tx } = sample
  const hour = Math.floor(Number(sample.ts) / 3_600) * 3_600
  const taken = [
    [hour - 3_600 + 1, 10],
    [hour - 2, 20],
    [hour - 3_600 - 5, 30],
    [hour - 8 * 86_400, 40],
  ]
  for (const [ts, uptime] of taken)
    await database`insert into uptime_samples values (11, ${id}, ${tx}, ${Number(ts)}, ${Number(uptime)}, true)`
  const rows = await rowsOfSql(
    service,
    `
    select epoch(time)::int, uptime from validator_samples
    where tx_id = '${cb58(tx)}' and epoch(time) < ${hour} order by 1`,
  )
  expect(rows).toEqual([
    [hour - 3_600 - 5, 30],
    [hour - 2, 20],
  ])
})

test('what the files have is read from them, and the rest from the store', async () => {
  const expected = await withLake('some', everything)
  const { database } = testDatabase
  // The store loses what the lake has; the tables do not.
  await database`delete from primary_transactions where chain = 11 and height between 1 and 17`
  await database`delete from rewards where chain = 11`
  expect(await withLake('some', everything)).toEqual(expected)
  await database`delete from primary_blocks where chain = 11 and height = 19`
  const counted = () => rowsOfSql(service, 'select count(*), max(height) from p_blocks')
  expect(await withLake('some', counted)).toEqual([['20', '20']])
})

test('a lake of another network is left alone', async () => {
  await testDatabase.database`update primary_chains set genesis_hash = ${Buffer.alloc(32)} where chain = 11`
  const counted = () =>
    rowsOfSql(service, 'select count(*) from p_transactions where height between 1 and 17')
  expect(await withLake('all', counted)).toEqual([['0']])
})
