import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { chainConfig, digest, startIndexer, storedHead, until } from './indexer/testing/harness.ts'
import { SimulatedChain } from './indexer/testing/simulated-chain.ts'
import { SimulatedNode } from './indexer/testing/simulated-node.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { runProgram, type RunningProgram } from './testing/program.ts'
import { startStoreRelay } from './testing/store-relay.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function makeStore(): Promise<TestDatabase> {
  const store = await createTestDatabase()
  cleanups.push(() => store.drop())
  return store
}

/** A node with a history, and the tables that a run without faults makes of it. */
async function makeHistory(blocks: number) {
  const chain = new SimulatedChain(31)
  chain.mine(blocks)
  const node = new SimulatedNode({ chain })
  const rpcUrl = await node.start()
  cleanups.push(() => node.stop())
  const quiet = await makeStore()
  const indexer = startIndexer(quiet.database, chainConfig({ evmChainId: chain.id, rpcUrl }))
  const isWhole = async (store: TestDatabase) =>
    (await storedHead(store.database, chain.id))?.hash === chain.hash(chain.height)
  await until('the quiet run ends', () => isWhole(quiet), 120_000)
  await indexer.stop()
  return { chain, rpcUrl, isWhole, expected: await digest(quiet.database, chain.id) }
}

/** The program on a store that it reaches by `databaseUrl`. */
async function startService(
  databaseUrl: string,
  rpcUrl: string,
  chain: SimulatedChain,
): Promise<RunningProgram> {
  const config = {
    chains: [{ evmChainId: chain.id, name: 'Lost', rpcUrl, pollSeconds: 0.05 }],
    // The test asks as often as it ends sessions.
    limits: { requestsPerMinute: 1_000_000 },
  }
  const service = await runProgram(config, { DATABASE_URL: databaseUrl })
  cleanups.push(() => service.discard())
  return service
}

async function endQuietly(service: RunningProgram): Promise<void> {
  expect(await service.stop()).toBe(0)
  expect(service.errors()).toBe('')
}

test('sessions that are ended while a chain catches up cost neither the service nor a row', async () => {
  const { chain, rpcUrl, isWhole, expected } = await makeHistory(1_200)
  const store = await makeStore()
  const service = await startService(store.url, rpcUrl, chain)
  // Requests wait for connections and in transactions too.
  const ask = () =>
    fetch(new URL('/v1/search?query=token', service.url)).then((answer) => answer.text(), String)
  let ended = 0
  let rounds = 0
  while (ended < 200 && !(await isWhole(store))) {
    service.isUp()
    const asked = ask()
    // Every round ends the sessions amid other statements: those of the round are as far as they have come.
    for (let turn = 0; turn < (rounds * 7) % 40; turn += 1) await nextTurn()
    const rows = await store.database`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'ridgeline %'`
    ended += rows.length
    rounds += 1
    await asked
  }
  expect(ended).toBeGreaterThan(100)
  await until('the chain is whole', async () => service.isUp() && (await isWhole(store)), 120_000)
  expect((await fetch(new URL('/v1/search?query=token', service.url))).status).toBe(200)
  await endQuietly(service)
  expect(await digest(store.database, chain.id)).toEqual(expected)
})

test('connections that are cut anywhere in a write cost neither the service nor a row', async () => {
  const { chain, rpcUrl, isWhole } = await makeHistory(20)
  const store = await makeStore()
  let untilCut = Infinity
  let cuts = 0
  const relay = await startStoreRelay(store.url, (bytes) => {
    if (bytes <= untilCut) {
      untilCut -= bytes
      return true
    }
    const passes = untilCut
    untilCut = Infinity
    cuts += 1
    return passes
  })
  cleanups.push(() => relay.stop())
  const service = await startService(relay.url, rpcUrl, chain)
  const whole = () =>
    until('the chain is whole', async () => service.isUp() && (await isWhole(store)), 120_000)
  await whole()
  // A step of an odd number of bytes meets every kind of position: between messages, and in them.
  for (let round = 0; round < 40; round += 1) {
    chain.mine(1)
    untilCut = round * 197
    await whole()
  }
  expect(cuts).toBeGreaterThan(20)
  untilCut = Infinity
  await endQuietly(service)
  const quiet = await makeStore()
  const indexer = startIndexer(quiet.database, chainConfig({ evmChainId: chain.id, rpcUrl }))
  await until('the quiet run ends', () => isWhole(quiet), 120_000)
  await indexer.stop()
  expect(await digest(store.database, chain.id)).toEqual(await digest(quiet.database, chain.id))
})
