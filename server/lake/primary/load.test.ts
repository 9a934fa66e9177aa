import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordedNode } from '../../indexer/primary/testing/recorded-node.ts'
import type { NetworkConfig } from '../../kernel/settings/config.ts'
import type { Database } from '../../store/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { openEngine, type LakeEngine } from '../engine.ts'
import { runLake } from '../testing/run-lake.ts'
import { extractPrimary } from './extract.ts'
import { loadPrimary, type LoadPrimaryOptions } from './load.ts'
import { indexRewarded, recordedGenesis, rewardedNetworks, rewardedNode } from './testing/rewarded-node.ts'
import { primaryContents } from './testing/primary-contents.ts'

let folder: string
let root: string
let node: RecordedNode
let engine: LakeEngine
let networks: NetworkConfig[]
const stores: TestDatabase[] = []

async function store(): Promise<TestDatabase> {
  const created = await createTestDatabase()
  stores.push(created)
  return created
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ridgeline-load-primary-'))
  root = join(folder, 'lake')
  node = rewardedNode()
  node.behaviour.hasIndex = false
  networks = rewardedNetworks(await node.start(), folder)
  engine = await openEngine(folder)
  const source = {
    nodeUrl: networks[0]?.nodeUrl ?? '',
    genesis: recordedGenesis,
    concurrency: 4,
    root,
    engine,
  }
  const more = { to: undefined, signal: new AbortController().signal, onWritten: () => undefined }
  await extractPrimary({ ...source, ...more, chain: 'P', size: 7 })
  await extractPrimary({ ...source, ...more, chain: 'X', size: 5 })
})
afterAll(async () => {
  engine?.close()
  await node?.stop()
  for (const { drop } of stores) await drop()
  rmSync(folder, { recursive: true, force: true })
})

const load = (database: Database, chain: 'P' | 'X', more: Partial<LoadPrimaryOptions> = {}) =>
  loadPrimary({
    database,
    root,
    chain,
    network: 'fuji',
    isCFollowed: false,
    engine,
    signal: new AbortController().signal,
    ...more,
  })

test('a store that is loaded equals one that was indexed, and the indexer continues from there', async () => {
  const indexed = await store()
  await indexRewarded(indexed.database, networks)
  const expected = await primaryContents(indexed.database)
  expect(expected['utxos']?.length).toBeGreaterThan(20)
  const loaded = await store()
  expect(await load(loaded.database, 'P')).toEqual({ blocks: { from: 0, to: 20 }, lakeEnd: 20 })
  expect(await load(loaded.database, 'X')).toEqual({ blocks: { from: 0, to: 4 }, lakeEnd: 4 })
  expect(await primaryContents(loaded.database)).toEqual(expected)
  // In parts: the second load begins above the first, and the indexer above both.
  const parts = await store()
  const stop = new AbortController()
  const first = await load(parts.database, 'P', { signal: stop.signal, onRange: () => stop.abort() })
  expect(first.blocks).toEqual({ from: 0, to: 6 })
  expect((await load(parts.database, 'P')).blocks).toEqual({ from: 7, to: 20 })
  expect((await load(parts.database, 'P')).blocks).toBeUndefined()
  await indexRewarded(parts.database, networks)
  expect(await primaryContents(parts.database)).toEqual(expected)
})

test('a store with another block is left as it is', async () => {
  const other = await store()
  const stop = new AbortController()
  await load(other.database, 'P', { signal: stop.signal, onRange: () => stop.abort() })
  await other.database`update primary_blocks set id = ${Buffer.alloc(32, 1)} where height = 6`
  const before = await primaryContents(other.database)
  await expect(load(other.database, 'P')).rejects.toThrow('block 6 of the store is another one')
  expect(await primaryContents(other.database)).toEqual(before)
})

test('is a command', async () => {
  const { url, database } = await store()
  const args = ['load', '--root', root, '--chain', 'P', '--network', 'fuji', '--without-c']
  const { code, output } = await runLake(args, { DATABASE_URL: url })
  expect(output).toContain('loaded blocks 0 to 20')
  expect(code).toBe(0)
  const [row] = await database<{ count: bigint }[]>`select count(*) from rewards where chain = 11`
  expect(row?.count).toBe(1n)
})
