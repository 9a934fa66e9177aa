import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { RecordedNode } from '../../indexer/primary/testing/recorded-node.ts'
import { until } from '../../indexer/testing/harness.ts'
import type { NetworkConfig } from '../../kernel/settings/config.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { openEngine } from '../engine.ts'
import { extractPrimary } from '../primary/extract.ts'
import {
  indexRewarded,
  recordedGenesis,
  rewardedNetworks,
  rewardedNode,
} from '../primary/testing/rewarded-node.ts'
import { storedRanges } from '../ranges.ts'
import { contentOf, runLake } from '../testing/run-lake.ts'
import { runLakeSealer } from './run-sealer.ts'

let folder: string
let store: TestDatabase
let node: RecordedNode
let networks: NetworkConfig[]
let running: { end(): Promise<void> } | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ridgeline-sealer-'))
  store = await createTestDatabase()
  node = rewardedNode()
  networks = rewardedNetworks(await node.start(), folder)
  await indexRewarded(store.database, networks)
})
afterEach(() => running?.end())
afterAll(async () => {
  await node?.stop()
  await store?.drop()
  rmSync(folder, { recursive: true, force: true })
})

function start(lakeFolder: string, isOn = true) {
  const abort = new AbortController()
  const pids: (number | undefined)[] = []
  const log: Record<string, unknown>[] = []
  const write = (fields: object, message: string) => void log.push({ ...fields, message })
  const ended = runLakeSealer({
    config: { lake: { seal: isOn, rangeSize: 7 }, lakeFolder, home: folder, chains: [], networks },
    databaseUrl: store.url,
    logger: { info: write, warn: write },
    signal: abort.signal,
    every: 50,
    againAfter: 10,
    onStarted: (pid) => void pids.push(pid),
  })
  const end = () => {
    abort.abort()
    return ended
  }
  running = { end }
  return { pids, log, ended, end }
}

const rangesOf = async (root: string): Promise<number> => (await storedRanges(root, 'P')).length

test('seals beside the service what its indexer has, in the bytes of an extraction, also after a kill', async () => {
  const root = join(folder, 'lake')
  const sealer = start(root)
  await until('the sealer runs', async () => sealer.pids.length === 1)
  process.kill(sealer.pids[0] ?? 0, 'SIGKILL')
  await until('three ranges are sealed', async () => (await rangesOf(root)) === 3)
  expect(sealer.pids).toHaveLength(2)
  await sealer.end()
  const other = join(folder, 'other')
  const engine = await openEngine(folder)
  await extractPrimary({
    chain: 'P',
    nodeUrl: networks[0]?.nodeUrl ?? '',
    root: other,
    genesis: recordedGenesis,
    to: undefined,
    size: 7,
    concurrency: 4,
    engine,
    signal: new AbortController().signal,
    onWritten: () => undefined,
  })
  engine.close()
  expect(await contentOf(join(root, 'P'))).toEqual(await contentOf(join(other, 'P')))
})

test('waits for the indexer, and stops at a block that is not the stored one', async () => {
  const root = join(folder, 'held')
  const { database } = store
  const blocks = await database`select * from primary_blocks where chain = 11 and height = 13`
  await database`delete from primary_blocks where chain = 11 and height > 12`
  const args = ['seal', '--once', '--root', root, '--chain', 'P', '--network', 'fuji', '--range-size', '7']
  const source = ['--rpc', networks[0]?.nodeUrl ?? '', '--genesis', join(folder, 'genesis.bin')]
  expect(await runLake([...args, ...source], { DATABASE_URL: store.url })).toMatchObject({ code: 0 })
  expect(await rangesOf(root)).toBe(1)
  await database`insert into primary_blocks ${database(blocks)}`
  await database`update primary_blocks set id = ${Buffer.alloc(32, 1)} where chain = 11 and height = 13`
  const { log } = start(root)
  await until('it stops', async () => log.some(({ message }) => String(message).includes('no more')))
  expect(log.find(({ text }) => String(text).includes('that of the store'))).toMatchObject({
    chain: 'fuji P',
  })
  expect(await rangesOf(root)).toBe(1)
})

test('is off unless the settings say so', async () => {
  const { ended, pids } = start(join(folder, 'off'), false)
  await ended
  expect(pids).toEqual([])
})
