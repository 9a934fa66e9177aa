import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MetricPoint } from '../../../contract/metrics/series.ts'
import { addressOf, seedChain, type SeedBlock } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

/*
 * Trace-based metrics of a chain whose node could not trace some blocks in the middle of its history: two
 * blocks a day for twenty days, each with as many creations as the day's number, each by its own deployer,
 * who also created a contract on the previous day.
 */
const day = 86_400
const start = 1_769_904_000
const days = 20
/** Blocks of days 7 to 9. */
const gap = { first: 15, last: 19 }

const blocks: SeedBlock[] = Array.from({ length: 2 * days }, (_, number) => {
  const today = Math.floor(number / 2)
  const creations = Array.from({ length: today }, (_unused, ordinal) => ({
    address: addressOf(`contract ${number} ${ordinal}`),
    deployer: addressOf(`deployer ${ordinal}`),
    ordinal,
  }))
  const from = addressOf('sender')
  return {
    number,
    ts: start + today * day + (number % 2) * 3_600,
    txs: [{ from, to: addressOf('factory'), contracts: creations }],
  }
})

/** The value of each metric on a day, computed by hand; the sum of 0 to n is n (n + 1) / 2. */
const expected: Record<string, (today: number) => number> = {
  contracts: (today) => 2 * today,
  deployers: (today) => today,
  cumulativeContracts: (today) => today ** 2 - today,
  cumulativeDeployers: (today) => today,
}
/** The days on which each metric is known: a gap hides its own days and, for totals, all later ones. */
const isKnown: Record<string, (today: number) => boolean> = {
  contracts: (today) => today < 7 || today > 9,
  deployers: (today) => today < 7 || today > 9,
  cumulativeContracts: (today) => today <= 7,
  cumulativeDeployers: (today) => today < 7,
}
const metrics = Object.keys(expected)
const all = Array.from({ length: days }, (_, index) => days - 1 - index)

let store: TestDatabase
let service: TestService

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain: 201, blocks })
  await seedChain(store.database, { chain: 202, blocks })
  await store.database`
    insert into trace_gaps (chain, first_block, last_block) values (201, ${gap.first}, ${gap.last})`
  const config = testConfig({
    chains: [201, 202].map((id) => ({
      evmChainId: id,
      name: `Chain ${id}`,
      rpcUrl: 'http://127.0.0.1:9',
      isTestnet: true,
    })),
  })
  service = await startTestService(store.database, { config })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

const get = (path: string) => service.app.inject(path)
const pointOf =
  (metric: string, factor = 1) =>
  (today: number) => ({
    timestamp: start + today * day,
    value: factor * (expected[metric]?.(today) ?? -1),
  })

test.each(metrics)('%s has every point but those that the gap makes unknown', async (metric) => {
  const body = (await get(`/v2/chains/201/metrics/${metric}?pageSize=100`)).json()
  const known = all.filter((today) => isKnown[metric]?.(today))
  expect(known.length).toBeGreaterThan(5)
  expect(body.results).toEqual(known.map(pointOf(metric)))
  const lost = all.filter((today) => !known.includes(today))
  expect(body.unknownPeriods).toEqual([
    { startTimestamp: start + (lost.at(-1) ?? 0) * day, endTimestamp: start + ((lost[0] ?? 0) + 1) * day },
  ])
})

test.each(metrics)('%s is a 503 where nothing that was asked for is known', async (metric) => {
  const range = `startTimestamp=${start + 8 * day - 1}&endTimestamp=${start + 9 * day + 1}`
  const response = await get(`/v2/chains/201/metrics/${metric}?${range}`)
  expect(response.statusCode).toBe(503)
  expect(response.json().message).toMatch(/^not traced: .*node of 201 Chain 201 could/)
})

test.each(metrics)('%s in pages holds each known point once', async (metric) => {
  const known = all.filter((today) => isKnown[metric]?.(today))
  const path = `/v2/chains/201/metrics/${metric}?pageSize=2`
  const points: MetricPoint[] = []
  for (let token = ''; ;) {
    const body = (await get(`${path}${token && `&pageToken=${token}`}`)).json()
    points.push(...body.results)
    if (body.nextPageToken === undefined) break
    token = body.nextPageToken
  }
  expect(points).toEqual(known.map(pointOf(metric)))
})

test.each(metrics)('%s of a group lacks what one of its chains lacks', async (metric) => {
  const body = (await get(`/v2/chains/testnet/metrics/${metric}?pageSize=100`)).json()
  const known = all.filter((today) => isKnown[metric]?.(today))
  expect(body.results).toEqual(known.map(pointOf(metric, 2)))
})

test('metrics without traces have every point', async () => {
  const body = (await get('/v2/chains/201/metrics/txCount?pageSize=100')).json()
  expect(body.results).toEqual(all.map((today) => ({ timestamp: start + today * day, value: 2 })))
  expect(body.unknownPeriods).toBeUndefined()
})

test('while sums are recomputed, the current day is unknown, and for totals all later days', async () => {
  await store.database`update chains set trace_sums_from = 30 where chain = 202`
  try {
    const shown = async (metric: string) =>
      (await get(`/v2/chains/202/metrics/${metric}?pageSize=100`))
        .json()
        .results.map(({ timestamp }: MetricPoint) => (timestamp - start) / day)
    expect(await shown('contracts')).toEqual(all.filter((today) => today !== 15))
    expect(await shown('cumulativeContracts')).toEqual(all.filter((today) => today <= 15))
    expect(await shown('cumulativeDeployers')).toEqual(all.filter((today) => today < 15))
  } finally {
    await store.database`update chains set trace_sums_from = null where chain = 202`
  }
})

test('the status of the chain contains the gap and omits the number of contracts', async () => {
  const { chains } = (await get('/v1/status')).json()
  const [gapped, whole] = chains
  expect(gapped.untracedBlocks).toEqual([{ firstBlock: '15', lastBlock: '19' }])
  expect(gapped.untracedBlockCount).toBe('5')
  expect(gapped.contractCount).toBeUndefined()
  expect(whole.untracedBlocks).toBeUndefined()
  expect(whole.contractCount).toBe(`${days * (days - 1)}`)
})
