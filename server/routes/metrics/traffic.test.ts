import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, countedBlock, seedChain, type SeedBlock } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { Recount } from '../../verify/recount.ts'

const hour = 3_600
const day = 24 * hour
const now = Date.UTC(2026, 4, 20, 9, 30) / 1000

/** A block every 5 h 20 min up to `last`, with none to three transactions. */
function history(last: number, count: number): SeedBlock[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    ts: last - (count - 1 - number) * 19_200,
    txs: Array.from({ length: (number * 7) % 4 }, () => ({ from: addressOf('a'), to: addressOf('b') })),
  }))
}

const chains = [
  // Longer than the days that are asked for, and at its head.
  { id: 301, isTestnet: true, blocks: history(now - 60, 600) },
  // Its head is three days old.
  { id: 302, isTestnet: true, blocks: history(now - 3 * day, 40) },
  { id: 303, isTestnet: true, blocks: [] },
  { id: 304, isTestnet: false, blocks: history(now - hour, 20) },
]

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  for (const { id, blocks } of chains) await seedChain(store.database, { chain: id, blocks })
  const config = testConfig({
    chains: chains.map(({ id, isTestnet }) => ({
      evmChainId: id,
      name: `Chain ${id}`,
      rpcUrl: 'http://127.0.0.1:9',
      isTestnet,
    })),
  })
  service = await startTestService(store.database, { config, clock: () => now })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

/** The transactions of each period since `from`, counted one block after another, latest first. */
function countsOf(blocks: readonly SeedBlock[], interval: 'hour' | 'day', from: number) {
  const recount = new Recount()
  for (const block of blocks) recount.add(countedBlock(block))
  return recount
    .series('txCount', interval)
    .filter(({ start }) => start >= from)
    .map(({ start, figure }) => ({ value: Number(figure.amount), timestamp: start }))
    .reverse()
}

test('counts the transactions of each chain of a network by hour and by day', async () => {
  const thisHour = now - (now % hour)
  const today = now - (now % day)
  const { statusCode, body } = await service.app.inject('/v1/traffic?network=fuji')
  expect(statusCode).toBe(200)
  expect(JSON.parse(body)).toEqual({
    chains: chains
      .filter(({ isTestnet }) => isTestnet)
      .map(({ id, blocks }) => ({
        chainId: String(id),
        hours: countsOf(blocks, 'hour', thisHour - day),
        days: countsOf(blocks, 'day', today - 90 * day),
      })),
  })
  const [long, old] = (JSON.parse(body) as { chains: { hours: unknown[]; days: unknown[] }[] }).chains
  expect([long?.hours.length, long?.days.length]).toEqual([25, 91])
  expect([old?.hours.length, old?.days.length]).toEqual([0, 10])
})

test('counts those of all networks without one, and refuses an unknown network', async () => {
  const { chains: all } = (await service.app.inject('/v1/traffic')).json<{ chains: { chainId: string }[] }>()
  expect(all.map(({ chainId }) => chainId)).toEqual(['301', '302', '303', '304'])
  expect((await service.app.inject('/v1/traffic?network=main')).statusCode).toBe(400)
})

test('the status of a chain counts the same 24 whole hours, also of a chain whose head is old', async () => {
  const thisHour = now - (now % hour)
  const { body } = await service.app.inject('/v1/status')
  const { chains: found } = JSON.parse(body) as { chains: { chainId: string; txCountDay: string }[] }
  expect(found.map(({ chainId, txCountDay }) => [chainId, Number(txCountDay)])).toEqual(
    chains.map(({ id, blocks }) => [
      String(id),
      blocks
        .filter(({ ts }) => ts >= thisHour - day && ts < thisHour)
        .reduce((sum, { txs }) => sum + (txs?.length ?? 0), 0),
    ]),
  )
})
