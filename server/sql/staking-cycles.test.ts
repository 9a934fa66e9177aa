import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runPrimaryIndexers } from '../indexer/primary/networks.ts'
import { RecordedNode } from '../indexer/primary/testing/recorded-node.ts'
import {
  day,
  endPeriod,
  period,
  stake,
  start,
  stopRenewing,
} from '../indexer/primary/testing/renewing-validator.ts'
import { testPace, until } from '../indexer/testing/harness.ts'
import { openEngine } from '../lake/engine.ts'
import { extractPrimary } from '../lake/primary/extract.ts'
import { recordedGenesis, rewardedNetworks } from '../lake/primary/testing/rewarded-node.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { testConfig } from '../testing/config.ts'
import { rowsOfSql, startTestService, type TestService } from '../testing/service.ts'

let home: string
let testDatabase: TestDatabase
let node: RecordedNode
let service: TestService
const lake = (name: string): string => join(home, name)

/** A validator has two periods, and lakes have the first one and both. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sql-cycles-'))
  vi.stubEnv('TMPDIR', home)
  testDatabase = await createTestDatabase()
  node = new RecordedNode()
  node.behaviour.heliconTime = new Date((start - 45 * day) * 1000).toISOString()
  const validation = stake(node, 2_000_000_000_000n, 300_000, 1_082_525_967n)
  endPeriod(node, validation, start + period, 31, [4_734_001_020n, 84_196_464n])
  const between = node.behaviour.pHeight
  stopRenewing(node, validation, start + period + day)
  endPeriod(node, validation, start + 2 * period, 31, [8_513_486_622n, 36_084_200n])
  const url = await node.start()
  const networks = rewardedNetworks(url, home)
  const abort = new AbortController()
  const quiet = () => undefined
  const indexing = runPrimaryIndexers({
    database: testDatabase.database,
    networks,
    chains: [],
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: testPace,
  })
  await until('the periods are known', async () => {
    return (await testDatabase.database`select from staking_cycles`).length === 2
  })
  abort.abort()
  await indexing
  const engine = await openEngine(home)
  const source = { nodeUrl: url, genesis: recordedGenesis, concurrency: 4, engine, to: undefined }
  const more = { signal: new AbortController().signal, onWritten: () => undefined }
  for (const [name, size] of [
    ['first', between + 1],
    ['both', node.behaviour.pHeight + 1],
  ] as const)
    await extractPrimary({ ...source, ...more, root: lake(name), chain: 'P', size })
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

const cycles = () => rowsOfSql(service, 'select * from staking_cycles order by height')

test('finished periods come from the lake as far as it has them, and from the store above, each once', async () => {
  const fromStore = await cycles()
  expect(fromStore).toHaveLength(2)
  for (const [name, sealed] of [
    ['first', 1],
    ['both', 2],
  ] as const) {
    renameSync(lake(name), lake('used'))
    expect(await cycles(), name).toEqual(fromStore)
    // What the store has of the sealed heights is not read.
    const database = testDatabase.database
    await database`
      update staking_cycles set reward = reward + 1 where height in (
        select height from staking_cycles order by height limit ${sealed})`
    expect(await cycles(), `${name}, alone`).toEqual(fromStore)
    await database`
      update staking_cycles set reward = reward - 1 where height in (
        select height from staking_cycles order by height limit ${sealed})`
    renameSync(lake('used'), lake(name))
  }
})
