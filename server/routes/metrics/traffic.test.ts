import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
  const { chains: found } = JSON.parse(body) as { chains: { chainId: string; txCountDay?: string }[] }
  expect(found.map(({ chainId, txCountDay }) => [chainId, txCountDay])).toEqual(
    chains.map(({ id, blocks }) => {
      const ofDay = blocks.filter(({ ts }) => ts >= thisHour - day && ts < thisHour)
      const count = ofDay.reduce((sum, { txs }) => sum + (txs?.length ?? 0), 0)
      // Of a chain without an indexed block, nothing is counted.
      return [String(id), blocks.length === 0 ? undefined : String(count)]
    }),
  )
})

describe('the chains with the most transactions', () => {
  const many = Array.from({ length: 11 }, (_, index) => ({
    id: 400 + index,
    // The one at index n has n + 1 transactions a block; the first two are the busiest of the last days only.
    blocks: Array.from({ length: 30 }, (_, number): SeedBlock => ({
      number,
      ts: now - (29 - number) * 43_200 - index * 600,
      txs: Array.from({ length: (index < 2 && number > 25 ? 30 : 0) + index + 1 }, () => ({
        from: addressOf('a'),
        to: addressOf('b'),
      })),
    })),
  }))
  let others: TestService
  let othersStore: TestDatabase

  beforeAll(async () => {
    othersStore = await createTestDatabase()
    for (const { id, blocks } of many) await seedChain(othersStore.database, { chain: id, blocks })
    const config = testConfig({
      chains: [...many.map(({ id }) => id), 499].map((id) => ({
        evmChainId: id,
        name: `Chain ${id}`,
        rpcUrl: 'http://127.0.0.1:9',
        isTestnet: id !== 410,
      })),
    })
    others = await startTestService(othersStore.database, { config, clock: () => now })
  })
  afterAll(async () => {
    await others.close()
    await othersStore.drop()
  })

  type Point = { value: number; timestamp: number }
  type Page = {
    nextPageToken?: string
    chains: { chainId: string; points: Point[] }[]
    others?: { chainCount: number; points: Point[] }
  }

  /** All pages of a range as one. */
  async function read(query: Record<string, string>): Promise<Omit<Page, 'nextPageToken'>> {
    let whole: Omit<Page, 'nextPageToken'> | undefined
    for (let next: string | undefined = ''; next !== undefined;) {
      const search = new URLSearchParams({ ...query, ...(next !== '' && { pageToken: next }) })
      const answer = await others.app.inject(`/v1/traffic:listLargest?${search.toString()}`)
      expect(answer.statusCode, answer.body).toBe(200)
      const { nextPageToken, ...page } = answer.json<Page>()
      if (whole) {
        expect(page.chains.map(({ chainId }) => chainId)).toEqual(whole.chains.map(({ chainId }) => chainId))
        for (const [index, { points }] of page.chains.entries()) whole.chains[index]?.points.push(...points)
        whole.others?.points.push(...(page.others?.points ?? []))
      } else whole = page
      next = nextPageToken
    }
    return whole ?? { chains: [] }
  }

  /** Counts a range again, block by block. */
  function counted(interval: 'hour' | 'day', from: number, to: number, ids: readonly number[]) {
    const lines = many
      .filter(({ id }) => ids.includes(id))
      .map(({ id, blocks }) => ({
        chainId: String(id),
        points: countsOf(blocks, interval, 0).filter(
          ({ timestamp }) => timestamp > from && timestamp < to,
        ) as Point[],
      }))
    const sum = ({ points }: { points: Point[] }): number =>
      points.reduce((total, { value }) => total + value, 0)
    const largest = new Set(lines.toSorted((a, b) => sum(b) - sum(a)).slice(0, 8))
    const rest = lines.filter((line) => !largest.has(line)).flatMap(({ points }) => points)
    const times = [...new Set(rest.map(({ timestamp }) => timestamp))].toSorted((a, b) => b - a)
    return {
      chains: lines.filter((line) => largest.has(line)),
      others: times.map((timestamp) => ({
        value: rest.reduce((total, point) => total + (point.timestamp === timestamp ? point.value : 0), 0),
        timestamp,
      })),
    }
  }
  const all = many.map(({ id }) => id)

  test.each([
    ['of the whole history', 'day', 0, now + day, {}],
    [
      'of the last three days, hour by hour and page by page',
      'hour',
      now - 3 * day,
      now + day,
      { pageSize: '7' },
    ],
    ['of a week long ago', 'day', now - 13 * day, now - 6 * day, { pageSize: '2' }],
  ] as const)('and all others together, %s', async (_, interval, from, to, more) => {
    const found = await read({
      timeInterval: interval,
      startTimestamp: String(from),
      endTimestamp: String(to),
      ...more,
    })
    const expected = counted(interval, from, to, all)
    expect(found.chains).toEqual(expected.chains)
    // A chain without a block is one of the others.
    expect(found.others?.chainCount).toBe(4)
    expect(found.others?.points).toEqual(expected.others)
  })

  test('are those of a network, and none are left out where there are few', async () => {
    const testnet = await read({ network: 'fuji' })
    expect(testnet.chains.map(({ chainId }) => chainId)).not.toContain('410')
    const { chains: mainnet, ...rest } = await read({ network: 'mainnet' })
    expect(mainnet).toEqual(counted('day', 0, now + day, [410]).chains)
    expect(rest).toEqual({})
  })

  test('refuses a range that ends before it begins', async () => {
    const answer = await others.app.inject('/v1/traffic:listLargest?startTimestamp=9&endTimestamp=3')
    expect(answer.statusCode).toBe(400)
  })
})
