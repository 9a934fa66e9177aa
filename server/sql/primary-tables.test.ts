import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { localNetwork } from '../indexer/primary/testing/local-network.ts'
import type { RecordedNode } from '../indexer/primary/testing/recorded-node.ts'
import { runPrimaryIndexers } from '../indexer/primary/networks.ts'
import { testPace, until } from '../indexer/testing/harness.ts'
import { openEngine } from '../lake/engine.ts'
import { extractPrimary } from '../lake/primary/extract.ts'
import { recordedGenesis, rewardedNode } from '../lake/primary/testing/rewarded-node.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startTestService, testConfig, type TestService } from '../testing/service.ts'
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
  const genesisFile = join(home, 'genesis.bin')
  writeFileSync(genesisFile, recordedGenesis)
  const { networks } = localNetwork(url)
  const abort = new AbortController()
  const quiet = () => undefined
  const indexing = runPrimaryIndexers({
    database: testDatabase.database,
    networks: networks.map((network) => ({ ...network, genesisFile })),
    chains: [],
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: testPace,
  })
  await until('the chains and their validators are known', async () => {
    const [row] = await testDatabase.database<{ known: boolean }[]>`
      select (select max(height) from primary_blocks where chain = 11) = 20
        and (select max(height) from primary_blocks where chain = 12) = 4
        and exists (select from uptime_samples) as known`
    return row?.known === true
  })
  abort.abort()
  await indexing
  // A range that ends with the block that proposes a reward, one in the middle of a chain, and all of it.
  const engine = await openEngine(home)
  const source = { nodeUrl: url, genesis: recordedGenesis, concurrency: 4, engine, to: undefined }
  const more = { signal: new AbortController().signal, onWritten: quiet }
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

async function rowsOf(sql: string): Promise<unknown[][]> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/sql',
    headers: { host: 'localhost' },
    payload: { sql },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ rows: unknown[][] }>().rows
}

const names = primaryTables.map(({ name }) => name)

/** Name, number of rows and digest of every table, in one statement: each starts a process. */
async function everything(): Promise<unknown[][]> {
  const parts = names.map(
    (name) =>
      `select '${name}', count(*), md5(string_agg(t::varchar, chr(10) order by t::varchar)) from ${name} t`,
  )
  return rowsOf(parts.join(' union all '))
}

/** Runs with a lake in the place of the service's. */
async function withLake<Value>(name: string, run: () => Promise<Value>): Promise<Value> {
  renameSync(lake(name), lake('used'))
  return run().finally(() => renameSync(lake('used'), lake(name)))
}

test('every table is the same from the store alone and joined with the files of a lake', async () => {
  const expected = await everything()
  expect(expected.filter(([, count]) => count === '0')).toEqual([])
  expect(expected[0]).toEqual(['p_blocks', '21', expect.any(String)])
  for (const name of ['proposed', 'some', 'all'])
    expect(await withLake(name, everything), name).toEqual(expected)
})

test('what the files have is read from them, and the rest from the store', async () => {
  const expected = await withLake('some', everything)
  const { database } = testDatabase
  // The store loses what the lake has; the tables do not.
  await database`delete from primary_transactions where chain = 11 and height between 1 and 17`
  await database`delete from rewards where chain = 11`
  expect(await withLake('some', everything)).toEqual(expected)
  await database`delete from primary_blocks where chain = 11 and height = 19`
  const counted = () => rowsOf('select count(*), max(height) from p_blocks')
  expect(await withLake('some', counted)).toEqual([['20', '20']])
})

test('a lake of another network is left alone', async () => {
  await testDatabase.database`update primary_chains set genesis_hash = ${Buffer.alloc(32)} where chain = 11`
  const counted = () => rowsOf('select count(*) from p_transactions where height between 1 and 17')
  expect(await withLake('all', counted)).toEqual([['0']])
})
