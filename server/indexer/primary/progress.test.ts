import { beforeEach, expect, test } from 'vitest'
import { sha256 } from '../../../protocol/native/hashes.ts'
import { cb58, fromCheckedHex } from '../../../protocol/ids/text.ts'
import type { StatsByChain } from '../../kernel/indexer-stats.ts'
import { readPrimaryStatus } from '../../store/primary/read-primary.ts'
import { fujiKeys } from '../../testing/primary-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testPace, until } from '../testing/harness.ts'
import { runBlocks, runTime } from './batch/runs.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import { addPBlock } from './testing/own-blocks.ts'
import { RecordedNode } from './testing/recorded-node.ts'

let store: TestDatabase
let node: RecordedNode
let stats: StatsByChain
const ends: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  store = await createTestDatabase()
  node = new RecordedNode()
  stats = new Map()
  ends.push(
    () => store.drop(),
    () => node.stop(),
  )
  return async () => {
    for (const end of ends.splice(0).reverse()) await end()
  }
})

/** Follows the node's P-Chain with `count` more blocks, measured every 400 ms. Returns the requests at a time. */
async function follow(count: number): Promise<number> {
  for (let block = 0; block < count; block += 1) addPBlock(node, 32, 1_800_000_000 + block, [])
  node.behaviour.pContainers = node.blocks.map((hex) => ({ id: cb58(sha256(fromCheckedHex(hex))), hex }))
  const { networks, chains } = localNetwork(await node.start())
  const abort = new AbortController()
  const quiet = () => undefined
  const running = runPrimaryIndexers({
    database: store.database,
    networks,
    chains,
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    stats,
    pace: { ...testPace, progress: 400 },
  })
  ends.push(() => {
    abort.abort()
    return running
  })
  return networks[0]?.concurrency ?? 0
}

/** The first measurement of a run that was written. */
async function measured() {
  const read = async () => (await readPrimaryStatus(store.database, [fujiKeys.p]))[0]
  await until('a written run is measured', async () => ((await read())?.sync_rate ?? 0) > 0)
  return read()
}

test('a slow node bounds the P-Chain, and its latency the rate', async () => {
  node.behaviour.latency = 50
  const concurrency = await follow(600)
  const found = await measured()
  expect(found?.sync_bound).toBe('node')
  // Two runs, each of which waited for blocks for about a second.
  expect(stats.get('fuji/p-chain')?.waitedMs).toBeGreaterThan(runTime)
  // So many requests at a time, one for each block, and at most as many blocks again from before the window.
  expect(found?.sync_rate).toBeLessThanOrEqual((2 * concurrency) / 0.05)
  expect(Math.abs(Number(found?.sync_ts) - Date.now() / 1000)).toBeLessThan(30)
})

test('a slow database bounds it, although the next blocks are read while it writes', async () => {
  await store.database.unsafe(`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(1); return null; end $$;
    create trigger slow before update of node_height on primary_chains for each statement execute function slow()`)
  node.behaviour.hasIndex = true
  // More than one transaction takes.
  await follow(runBlocks + 500)
  expect((await measured())?.sync_bound).toBe('database')
})
