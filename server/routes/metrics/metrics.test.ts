import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  intervalsOf,
  metricEntry,
  metricNames,
  type MetricName,
} from '../../../contract/metrics/catalogue.ts'
import { timeIntervals, type TimeInterval } from '../../../contract/metrics/intervals.ts'
import {
  addressOf,
  countedBlock,
  insertBlocks,
  revertTo,
  seedChain,
  type SeedBlock,
} from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { history } from '../../testing/metric-history.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { Recount, type Figure } from '../../verify/recount.ts'

type Interval = TimeInterval
type Point = { value: number; timestamp: number }

const day = 86_400
// A Wednesday, so that the first week and the first month begin before the first block.
const first = Date.UTC(2026, 0, 28, 5, 30) / 1000

const chains = [
  { chain: 101, testnet: true, blocks: history(1, first, 150) },
  { chain: 102, testnet: true, blocks: history(2, first + 9 * day, 60) },
  { chain: 103, testnet: false, blocks: history(3, first + 3 * day, 80) },
]

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  for (const { chain, blocks } of chains) await seedChain(store.database, { chain, blocks })
  await seedChain(store.database, {
    chain: 104,
    traceSource: 'none',
    blocks: [{ number: 0, ts: first, txs: [{ from: addressOf('a'), to: addressOf('b') }] }],
  })
  await seedChain(store.database, { chain: 105, blocks: [] })
  // Prices beyond the precision of a double: 2^70 wei plus one.
  const dear = { from: addressOf('a'), to: addressOf('b'), gasUsed: 3n, gasPrice: 2n ** 70n + 1n }
  await seedChain(store.database, { chain: 106, blocks: [{ number: 0, ts: first, txs: [dear] }] })
  const config = testConfig({
    chains: [...chains.map((each) => each.chain), 104, 105, 106, 107, 108, 109, 110].map((id) => ({
      evmChainId: id,
      name: `Chain ${id}`,
      rpcUrl: 'http://127.0.0.1:9',
      blockchainId: `blockchain${id}`,
      isTestnet: chains.find((each) => each.chain === id)?.testnet ?? true,
    })),
  })
  service = await startTestService(store.database, { config })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const get = (path: string) => service.app.inject(path)

async function all(chain: string, metric: MetricName, interval: Interval): Promise<Point[]> {
  const response = await get(`/v2/chains/${chain}/metrics/${metric}?timeInterval=${interval}&pageSize=2160`)
  expect(response.statusCode).toBe(200)
  return response.json().results as Point[]
}

/** A brute-force count of blocks, which gives the expected values of every metric. */
function recountOf(blocks: readonly SeedBlock[]): Recount {
  const recount = new Recount()
  for (const block of blocks) recount.add(countedBlock(block))
  return recount
}

const valueOf = ({ amount, per }: Figure): number => (per === 0n ? 0 : Number(amount) / Number(per))

/** The expected points of a metric up to the last block or a later time, latest first. */
const expectedOf = (recount: Recount, metric: MetricName, interval: Interval, last?: number): Point[] =>
  recount
    .series(metric, interval, last)
    .map(({ start, figure }) => ({ timestamp: start, value: valueOf(figure) }))
    .reverse()

const cases = metricNames.flatMap((metric) =>
  intervalsOf(metric).map((interval) => [metric, interval] as const),
)

describe('each metric equals a recount', () => {
  test.each(cases)('%s by %s', async (metric, interval) => {
    for (const { chain, blocks } of chains) {
      const expected = expectedOf(recountOf(blocks), metric, interval)
      const points = await all(String(chain), metric, interval)
      expect(points.map((point) => point.timestamp)).toEqual(expected.map((point) => point.timestamp))
      for (const [index, point] of points.entries()) {
        expect(point.value, `${chain} at ${point.timestamp}`).toBeCloseTo(expected[index]?.value ?? -1, 9)
      }
      // An all-zero series would also match a broken recount.
      expect(points.some((point) => point.value > 0)).toBe(true)
    }
  })
})

describe('groups of chains', () => {
  test.each(cases.filter(([, interval]) => interval === 'day'))('testnet %s', async (metric) => {
    const [one, two] = [chains[0], chains[1]]
    if (!one || !two) throw new Error('no chains')
    // Chains without traces would refuse; the second service's group has only the two chains.
    const config = testConfig({
      chains: [101, 102, 103].map((id) => ({
        evmChainId: id,
        name: `Chain ${id}`,
        rpcUrl: 'http://127.0.0.1:9',
        isTestnet: id !== 103,
      })),
    })
    const group = await startTestService(store.database, { config })
    const read = async (id: string): Promise<Point[]> =>
      (await group.app.inject(`/v2/chains/${id}/metrics/${metric}?pageSize=2160`)).json().results
    const points = await read('testnet')
    const both = [...one.blocks, ...two.blocks].sort((left, right) => left.ts - right.ts)
    const together = recountOf(both)
    const apart = [one, two].map(({ blocks }) =>
      expectedOf(recountOf(blocks), metric, 'day', Math.max(...both.map(({ ts }) => ts))),
    )
    const { kind } = metricEntry(metric)
    const expected = expectedOf(together, metric, 'day').map(({ timestamp, value }) => {
      const values = apart.map((all) => all.find((point) => point.timestamp === timestamp)?.value ?? 0)
      if (kind === 'mean' || kind === 'median' || kind === 'share') return { timestamp, value }
      if (kind === 'maximum' || kind === 'peak') return { timestamp, value: Math.max(...values) }
      return { timestamp, value: values.reduce((left, right) => left + right) }
    })
    expect(points.map((point) => point.timestamp)).toEqual(expected.map((point) => point.timestamp))
    for (const [index, { value: wanted, timestamp }] of expected.entries()) {
      const { value } = points[index] ?? { value: -1 }
      expect(Math.abs(value - wanted), `${timestamp}: ${value} for ${wanted}`).toBeLessThanOrEqual(
        1e-9 * wanted,
      )
    }
    expect(await read('mainnet')).toEqual(await read('103'))
    expect((await read('total')).length).toBeGreaterThanOrEqual(points.length)
    await group.close()
  })
})

describe('rules', () => {
  test.each(metricNames)('%s refuses the intervals that it does not support', async (metric) => {
    const supported: readonly TimeInterval[] = intervalsOf(metric)
    for (const interval of timeIntervals.filter((one) => !supported.includes(one))) {
      const response = await get(`/v2/chains/101/metrics/${metric}?timeInterval=${interval}`)
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toEqual([
        `timeInterval: ${metric} supports ${supported.join(', ')} only`,
      ])
    }
  })

  test('the default interval is a day and the default page size is 100', async () => {
    const byDefault = (await get('/v2/chains/101/metrics/txCount')).json().results as Point[]
    expect(byDefault).toEqual(await all('101', 'txCount', 'day'))
    const hours = (await get('/v2/chains/101/metrics/txCount?timeInterval=hour')).json()
    expect(hours.results).toHaveLength(100)
    expect(hours.nextPageToken).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    '/v2/chains/101/metrics/txCount?pageSize=0',
    '/v2/chains/101/metrics/txCount?pageSize=2161',
    '/v2/chains/101/metrics/txCount?startTimestamp=-1',
    '/v2/chains/101/metrics/txCount?endTimestamp=-1',
    '/v2/chains/101/metrics/txCount?startTimestamp=10&endTimestamp=9',
    '/v2/chains/101/metrics/txCount?timeInterval=minute',
    '/v2/chains/101/metrics/txCount?pageToken=second',
    '/v2/chains/101/metrics/txcount',
    '/v1/avg_tps/101?pageToken=second',
  ])('%s is a 400', async (path) => {
    expect((await get(path)).statusCode).toBe(400)
  })

  test.each(['/v2/chains/9/metrics/txCount', '/v2/chains/Total/metrics/txCount', '/v1/avg_tps/9'])(
    '%s is a 404',
    async (path) => {
      expect((await get(path)).statusCode).toBe(404)
    },
  )

  test('a blockchain id stands for its chain', async () => {
    expect(await all('blockchain102', 'gasUsed', 'hour')).toEqual(await all('102', 'gasUsed', 'hour'))
  })

  test('startTimestamp and endTimestamp are exclusive', async () => {
    const points = await all('101', 'txCount', 'day')
    const [newer, older] = [points[3]?.timestamp ?? 0, points[8]?.timestamp ?? 0]
    const range = async (from: number, to: number) =>
      (await get(`/v2/chains/101/metrics/txCount?startTimestamp=${from}&endTimestamp=${to}`)).json().results
    expect(await range(older, newer)).toEqual(points.slice(4, 8))
    expect(await range(older - 1, newer + 1)).toEqual(points.slice(3, 9))
    expect(await range(0, 0)).toEqual([])
    expect(await range(4_000_000_000, 5_000_000_000)).toEqual([])
  })

  test('the points of a chain without blocks are not known yet', async () => {
    const paths = ['/v2/chains/105/metrics/contracts', '/v2/chains/107/metrics/contracts', '/v1/avg_tps/105']
    for (const path of paths)
      expect((await get(path)).json().message).toMatch(/^not known yet: Chain 10\d has no indexed block$/)
  })

  test.each(['contracts', 'deployers', 'cumulativeContracts', 'cumulativeDeployers'])(
    '%s of a chain that is not traced is a 503, never 0',
    async (metric) => {
      const response = await get(`/v2/chains/104/metrics/${metric}`)
      expect(response.statusCode).toBe(503)
      expect(response.json().message).toMatch(/^not traced: .*node of 104 Chain 104 could/)
    },
  )

  test('large values are written with all digits', async () => {
    const body = async (metric: string) => (await get(`/v2/chains/106/metrics/${metric}`)).body
    expect(await body('maxGasPrice')).toContain('"value":1180591620717411303425,')
    expect(await body('avgGasPrice')).toContain('"value":1180591620717411303425,')
    expect(await body('feesPaid')).toContain('"value":3541774862152233910275,')
  })
})

describe('medians', () => {
  const pricesOf = (prices: readonly bigint[], number: number, branch = 'main'): SeedBlock => ({
    number,
    ts: first + number,
    branch,
    txs: prices.map((gasPrice) => ({ from: addressOf('a'), to: addressOf('b'), gasPrice })),
  })
  const median = () => all('108', 'medianGasPrice', 'hour')
  const start = first - (first % 3_600)

  test('follow a reorg, and the mean of the two middle prices is rounded down', async () => {
    await seedChain(store.database, { chain: 108, blocks: [pricesOf([9n, 4n], 0), pricesOf([2n], 1)] })
    expect(await median()).toEqual([{ timestamp: start, value: 4 }])
    await revertTo(store.database, 108, 0)
    await insertBlocks(store.database, 108, [pricesOf([6n, 20n], 1, 'other')])
    expect(await median()).toEqual([{ timestamp: start, value: 7 }])
  })
})

describe('paging', () => {
  const walk = async (path: string, change: (page: number) => void = () => undefined): Promise<Point[]> => {
    const points: Point[] = []
    let token = ''
    for (let page = 1; page < 100; page += 1) {
      const body = (await get(`${path}${token && `&pageToken=${token}`}`)).json()
      points.push(...body.results)
      if (body.nextPageToken === undefined) return points
      token = body.nextPageToken
      change(page)
    }
    throw new Error('the walk does not end')
  }

  test.each([1, 7, 13, 2160])('pages of %i hold each point once', async (pageSize) => {
    const points = await all('101', 'gasUsed', 'week')
    expect(await walk(`/v2/chains/101/metrics/gasUsed?timeInterval=week&pageSize=${pageSize}`)).toEqual(
      points,
    )
  })

  test('pages go on in any time of a chain, also through all chains', async () => {
    // A chain whose time is in milliseconds, and one in the year 2514.
    const times = { 109: 1_790_000_000_000, 110: 17_179_869_200 }
    for (const [chain, ts] of Object.entries(times))
      await seedChain(store.database, {
        chain: Number(chain),
        blocks: [0, 1, 2].map((number) => ({
          number,
          ts: ts + number * day,
          txs: [{ from: addressOf('a'), to: addressOf('b') }],
        })),
      })
    for (const chain of Object.keys(times)) {
      const points = await walk(`/v2/chains/${chain}/metrics/txCount?pageSize=1&startTimestamp=0`)
      expect(points.filter(({ value }) => value > 0)).toHaveLength(3)
    }
    for (const group of ['total', 'testnet']) {
      const first = (await get(`/v2/chains/${group}/metrics/txCount?pageSize=2`)).json()
      const next = await get(
        `/v2/chains/${group}/metrics/txCount?pageSize=2&pageToken=${first.nextPageToken}`,
      )
      expect(next.statusCode, next.body).toBe(200)
      expect(next.json().results[0].timestamp).toBeLessThan(first.results[1].timestamp)
    }
    for (const table of ['transactions', 'seen', 'blocks', 'chains'])
      await store.database.unsafe(`delete from ${table} where chain in (109, 110)`)
  })

  test('a page token is valid for its own series only', async () => {
    const token = (await get('/v2/chains/101/metrics/txCount?pageSize=2')).json().nextPageToken as string
    for (const path of [
      '/v2/chains/102/metrics/txCount?',
      '/v2/chains/total/metrics/txCount?',
      '/v2/chains/101/metrics/gasUsed?',
      '/v2/chains/101/metrics/txCount?timeInterval=week&',
      '/v2/chains/101/metrics/txCount?startTimestamp=5&',
      '/v1/avg_tps/101?',
    ]) {
      expect((await get(`${path}pageToken=${token}`)).statusCode, path).toBe(400)
    }
    const same = await get(`/v2/chains/blockchain101/metrics/txCount?pageSize=50&pageToken=${token}`)
    expect(same.json().results[0]).toEqual((await all('101', 'txCount', 'day'))[2])
  })

  test('after 24 hours a page token restarts from the first page', async () => {
    const path = '/v2/chains/101/metrics/txCount?pageSize=2'
    const firstPage = (await get(path)).json()
    const before = service.now
    service.now += day
    const onTime = (await get(`${path}&pageToken=${firstPage.nextPageToken}`)).json()
    service.now += 1
    const late = (await get(`${path}&pageToken=${firstPage.nextPageToken}`)).json()
    service.now = before
    expect(onTime.results).not.toEqual(firstPage.results)
    expect(late.results).toEqual(firstPage.results)
  })

  test('avg_tps has the daily series, its status and the time of its last point', async () => {
    const body = (await get('/v1/avg_tps/101')).json()
    const points = await all('101', 'avgTps', 'day')
    expect(body).toEqual({ results: points, status: 200, lastRun: chains[0]?.blocks.at(-1)?.ts })
  })
})
