import { beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createStats } from '../kernel/indexer-stats.ts'
import { boundOf } from '../kernel/progress-meter.ts'
import { runIndexers } from './run.ts'
import { chainConfig, testPace, until } from './testing/harness.ts'
import { SimulatedChain } from './testing/simulated-chain.ts'
import { SimulatedNode } from './testing/simulated-node.ts'

const cleanups: (() => Promise<unknown>)[] = []
let store: TestDatabase
beforeEach(async () => {
  store = await createTestDatabase()
  return async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    await store.drop()
  }
})

type Progress = { blocks_per_second: number; bound: string }
const progress = () => store.database<Progress[]>`select blocks_per_second, bound from sync_progress`

/** Follows a chain of 1,500 blocks, measured every 400 ms, through a node with this latency in milliseconds. */
async function follow(latency: number): Promise<void> {
  const chain = new SimulatedChain(5)
  chain.mine(1_500)
  const node = new SimulatedNode({ chain })
  node.latency = latency
  const rpcUrl = await node.start()
  const abort = new AbortController()
  const quiet = () => undefined
  const running = runIndexers({
    database: store.database,
    config: { chains: [chainConfig({ evmChainId: chain.id, rpcUrl, concurrency: 2 })] },
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: { ...testPace, progress: 400 },
  })
  cleanups.push(
    () => node.stop(),
    async () => {
      abort.abort()
      await running
    },
  )
}

test('a slow node bounds the indexer, and its latency the rate', async () => {
  await follow(150)
  // The first commits create partitions: on a busy machine they may take longer than the first blocks.
  await until('the node bounds it', async () => (await progress())[0]?.bound === 'node')
  const [found] = await progress()
  // Two requests at a time, at least one for each block, and at most as many again from before the window.
  expect(found?.blocks_per_second).toBeGreaterThan(0)
  expect(found?.blocks_per_second).toBeLessThanOrEqual(2 * (2 / 0.15))
})

test('a slow database bounds it', async () => {
  await store.database.unsafe(`
    create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.2); return null; end $$;
    create trigger slow before update on chains for each statement execute function slow()`)
  await follow(0)
  await until('it is measured', async () => (await progress()).length > 0)
  expect((await progress())[0]?.bound).toBe('database')
})

test('decoding bounds it when it takes half of the time', () => {
  const at = (waitedMs: number, storedMs: number, decodedMs: number) => ({
    ...createStats(),
    waitedMs,
    storedMs,
    decodedMs,
  })
  const from = at(10, 20, 30)
  expect(boundOf(from, at(610, 120, 530), 1_000)).toBe('decoding')
  expect(boundOf(from, at(610, 120, 529), 1_000)).toBe('node')
  expect(boundOf(from, at(410, 620, 229), 1_000)).toBe('database')
})
