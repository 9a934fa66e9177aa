import { asOperator } from '../../testing/config.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  networkMetricEntry,
  networkMetricNames,
  type NetworkMetricName,
} from '../../../contract/metrics/network-catalogue.ts'
import { timeIntervals, type TimeInterval } from '../../../contract/metrics/intervals.ts'
import { isSampled } from '../../../contract/metrics/network-samples.ts'
import { proveNetworkMetric } from '../../../contract/metrics/proof.ts'
import { networkProofOf } from '../../../contract/sql/network-proof.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { nothing } from '../../metrics/definitions.ts'
import { readNetworkSeries } from '../../metrics/network-series.ts'
import { countStatements } from '../../testing/count-statements.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { at, AVAX, day, hour, insertNetworkHistory } from '../../testing/network-history.ts'
import { avax, fujiKeys } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

type Point = { value: number; timestamp: number }
type Page = { results: Point[]; nextPageToken?: string }

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  network = await startPrimaryService(store.database)
  await insertNetworkHistory(store.database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

async function ask(metric: string, query: string): Promise<{ status: number; body: Page }> {
  const response = await network.service.app.inject(`/v2/networks/fuji/metrics/${metric}?${query}`)
  return { status: response.statusCode, body: response.json<Page>() }
}

/** All values from the first period to the last. */
async function values(metric: NetworkMetricName, interval: TimeInterval = 'day'): Promise<number[]> {
  const { body } = await ask(metric, `timeInterval=${interval}&pageSize=2160`)
  return body.results.map(({ value }) => value).reverse()
}

describe('by day, from the genesis block to the head', () => {
  const staked = (...list: number[]): number[] => list.map((avaxAmount) => avaxAmount * 1e9)
  test.each([
    // The stake that ends at the first second of day 3 is in force to the end of day 2.
    ['totalStake', staked(1000, 1850, 1850, 1250, 1360, 1360, 1360, 1360, 1360, 1260)],
    ['ownStake', staked(1000, 1850, 1850, 1250, 1260, 1260, 1260, 1260, 1260, 1260)],
    ['delegatedStake', staked(0, 0, 0, 0, 100, 100, 100, 100, 100, 0)],
    ['validators', [1, 3, 3, 2, 2, 2, 2, 2, 2, 2]],
    ['validatorsEntered', [1, 2, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['validatorsLeft', [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]],
    ['delegations', [0, 0, 0, 0, 1, 1, 1, 1, 1, 0]],
    ['delegationsEntered', [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]],
    ['delegationsLeft', [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['rewardsPending', [7, 24, 24, 17, 21, 21, 21, 21, 21, 14]],
    ['rewardsPaid', [0, 0, 0, 11, 0, 0, 0, 0, 0, 7]],
    ['validatorRewardsPaid', [0, 0, 0, 11, 0, 0, 0, 0, 0, 0]],
    ['delegatorRewardsPaid', [0, 0, 0, 0, 0, 0, 0, 0, 0, 5]],
    ['delegationFeesPaid', [0, 0, 0, 0, 0, 0, 0, 0, 0, 2]],
    // (720 - S) / S × 12 %: at 480 million it is 6 %.
    ['rewardRate', [9.6, ...Array.from({ length: 8 }, () => expect.closeTo(9.6, 5) as number), 6]],
    ['nakamotoLiveness', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
    ['nakamotoSafety', [1, 2, 2, 1, 1, 1, 1, 1, 1, 1]],
    [
      'largestPercentShare',
      [100, 1000 / 18.5, 1000 / 18.5, 80, ...Array.from({ length: 5 }, () => 1100 / 13.6), 1000 / 12.6].map(
        (share) => expect.closeTo(share, 9) as number,
      ),
    ],
    // Of 250, 600 and 1000: 2 × (250 + 2 × 600 + 3 × 1000) / (3 × 1850) − 4 / 3.
    ['stakeGini', [0, 8900 / 5550 - 4 / 3, 8900 / 5550 - 4 / 3, 4500 / 2500 - 3 / 2]],
    ['pTransactions', [0, 3, 0, 1, 4, 0, 0, 0, 0, 1]],
    ['pSubnetTransactions', [0, 1, 0, 0, 2, 0, 0, 0, 0, 0]],
    ['pL1Transactions', [0, 0, 0, 0, 2, 0, 0, 0, 0, 0]],
    ['pTransfers', [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['pImports', [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['pRewardTransactions', [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]],
    ['l1Messages', [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]],
    ['pBurnedFees', [0, 100, 0, 0, 10, 0, 0, 0, 0, 0]],
    ['pUtxos', [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    ['subnets', [0, 1, 1, 1, 2, 2, 2, 2, 2, 2]],
    ['l1s', [0, 0, 0, 0, 1, 1, 1, 1, 1, 1]],
    ['blockchains', [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]],
    ['l1Validators', [0, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
    ['activeL1Validators', [0, 2, 2, 1, 1, 1, 1, 1, 1, 1]],
    ['inactiveL1Validators', [0, 0, 0, 1, 1, 1, 1, 1, 1, 1]],
    ['l1Balances', [0, 800, 800, 200, 600, 600, 600, 600, 600, 400]],
    ['l1FeesBurned', [0, 0, 0, 600, 200, 0, 0, 0, 0, 200]],
  ] as const)('%s', async (metric, expected) => {
    const found = await values(metric)
    const shown = expected.length < 10 ? found.slice(0, expected.length) : found
    expect(shown).toHaveLength(expected.length)
    for (const [index, value] of expected.entries())
      expect(shown[index], `${metric} of day ${index}`).toEqual(
        metric === 'stakeGini' ? expect.closeTo(value, 12) : value,
      )
  })

  test('metrics of the X-Chain include vertices and end at its own head', async () => {
    expect(await values('xTransactions')).toEqual([0, 0, 2, 0, 0, 1])
    expect(await values('xExports')).toEqual([0, 0, 1, 0, 0, 0])
    expect(await values('xBurnedFees')).toEqual([0, 0, 10, 0, 0, 50])
    expect(await values('cBurnedFees')).toEqual([0, 20, 0, 50])
    expect(await values('xUtxos')).toEqual([1, 2, 2, 2, 2, 2])
  })
})

test('expiring stake continues to the end of the last running stake', async () => {
  const points = (await ask('expiringStake', 'timeInterval=week&pageSize=2160')).body.results.reverse()
  expect(points.filter(({ value }) => value > 0)).toEqual([
    // In the first week 600 of the validator, and the first period of the renewed one.
    { timestamp: at(0), value: 850e9 },
    { timestamp: at(7), value: 100e9 },
    { timestamp: at(14), value: 260e9 },
    { timestamp: at(399), value: 1000e9 },
  ])
  expect(points.at(-1)?.timestamp).toBe(at(399))
})

test.each(timeIntervals)('pages of one and three periods give the same points by %s', async (interval) => {
  for (const metric of networkMetricNames) {
    const whole = (await ask(metric, `timeInterval=${interval}&pageSize=2160`)).body.results
    const few = whole.slice(0, 40)
    for (const size of [1, 3]) {
      const walked: Point[] = []
      let token: string | undefined
      do {
        const next = token === undefined ? '' : `&pageToken=${token}`
        const { body } = await ask(metric, `timeInterval=${interval}&pageSize=${size}${next}`)
        walked.push(...body.results)
        token = body.nextPageToken
      } while (token !== undefined && walked.length < few.length)
      expect(walked.slice(0, few.length), `${metric} by ${size}`).toEqual(few)
    }
  }
})

test('sums of hours are those of days, and the last hour of a day has its level', async () => {
  for (const metric of networkMetricNames) {
    if (networkMetricEntry(metric).isPlanned) continue
    const hours = (await ask(metric, 'timeInterval=hour&pageSize=2160')).body.results
    const days = (await ask(metric, 'timeInterval=day&pageSize=2160')).body.results
    for (const { timestamp, value } of days) {
      const mine = hours.filter((point) => point.timestamp >= timestamp && point.timestamp < timestamp + day)
      const expected =
        networkMetricEntry(metric).kind === 'sum'
          ? mine.reduce((sum, point) => sum + point.value, 0)
          : (mine[0]?.value ?? NaN)
      expect(value, `${metric} at ${timestamp}`).toBe(expected)
    }
  }
})

test('both bounds of the range are exclusive, and the periods of a range stay the same', async () => {
  const { body } = await ask('totalStake', `startTimestamp=${at(1)}&endTimestamp=${at(4)}`)
  expect(body.results.map(({ timestamp }) => timestamp)).toEqual([at(3), at(2)])
  expect((await ask('totalStake', `endTimestamp=0`)).body).toEqual({ results: [] })
})

test('series of samples begin with the first one, have the last of each period, and gaps', async () => {
  const hour = 3_600
  // In 1/10,000 of a percent; day 3 has none.
  const samples: [ts: number, p5: number, p50: number, p95: number, peers: number, newest: number][] = [
    [at(2) + 3_599, 802_500, 915_000, 999_934, 3, 2],
    [at(2) + 23 * hour, 700_000, 700_000, 700_000, 0, 0],
    [at(4) + 5 * hour, 500_000, 500_000, 600_000, 1, 1],
  ]
  for (const [ts, p5, p50, p95, peers, newest] of samples)
    await store.database`
      insert into network_samples (chain, hour, ts, uptime_p5, uptime_p50, uptime_p95, peers, newest_peers)
      values (${fujiKeys.p}, ${ts - (ts % hour)}, ${ts}, ${p5}, ${p50}, ${p95}, ${peers}, ${newest})`
  const points = async (metric: NetworkMetricName, interval: TimeInterval) => {
    const { body } = await ask(metric, `timeInterval=${interval}`)
    return body.results.toReversed().map(({ timestamp, value }) => [timestamp, value])
  }
  expect(await points('uptimeP50', 'hour')).toEqual([
    [at(2), 91.5],
    [at(2) + 23 * hour, 70],
    [at(4) + 5 * hour, 50],
  ])
  expect(await points('uptimeP95', 'day')).toEqual([
    [at(2), 70],
    [at(4), 60],
  ])
  expect(await points('uptimeP5', 'hour')).toContainEqual([at(2), 80.25])
  expect(await points('uptimeP95', 'hour')).toContainEqual([at(2), 99.9934])
  expect(await points('connectedPeers', 'hour')).toEqual([
    [at(2), 3],
    [at(2) + 23 * hour, 0],
    [at(4) + 5 * hour, 1],
  ])
  // Without peers there is no share.
  expect(await points('newestVersionShare', 'hour')).toEqual([
    [at(2), expect.closeTo(200 / 3, 10)],
    [at(4) + 5 * hour, 100],
  ])
  const { body } = await ask('uptimeP50', `timeInterval=hour&pageSize=30`)
  const rest = await ask('uptimeP50', `timeInterval=hour&pageSize=30&pageToken=${body.nextPageToken}`)
  expect([...body.results, ...rest.body.results].map(({ value }) => value)).toEqual([50, 70, 91.5])
  await store.database`delete from network_samples`
})

test('says what is wrong with a request', async () => {
  expect((await ask('noMetric', '')).status).toBe(400)
  expect((await ask('totalStake', 'timeInterval=year')).status).toBe(400)
  expect((await ask('totalStake', 'startTimestamp=9&endTimestamp=8')).status).toBe(400)
  expect((await ask('totalStake', 'pageToken=nonsense')).status).toBe(400)
  const other = await network.service.app.inject('/v2/networks/mainnet/metrics/totalStake')
  expect(other.statusCode).toBe(404)
})

test('a new block changes the open period', async () => {
  const { database } = store
  const [before] = (await ask('currentSupply', 'pageSize=1')).body.results
  await database`update primary_blocks set supply = supply + 1000000000 where chain = ${fujiKeys.p} and height = 4`
  const scope = `pageSize=1&startTimestamp=${at(8)}`
  const [after] = (await ask('currentSupply', scope)).body.results
  await database`update primary_blocks set supply = supply - 1000000000 where chain = ${fujiKeys.p} and height = 4`
  expect(after?.value).toBe((before?.value ?? 0) + 1e9)
})

/** A day, what some series are at its end or in it, by hand, and the blocks that count. */
const provenDays: [NetworkMetricName, days: number, value: bigint, blocks: [number, number] | undefined][] = [
  // The day of the head.
  ['l1Balances', 9, 400n, [0, 4]],
  ['cBurnedFees', 3, 50n, [2, 2]],
  ['expiringStake', 14, 260n * AVAX, undefined],
]

const prove = (metric: NetworkMetricName, days: number) =>
  network.service.app.inject({
    url: `/v2/networks/fuji/metrics/${metric}/proof?timestamp=${at(days, hour)}`,
    headers: asOperator,
  })

test('points are counted again, with their blocks and rows', async () => {
  for (const [metric, days, value, blocks] of provenDays) {
    const answer = await prove(metric, days)
    expect(answer.statusCode, answer.body).toBe(200)
    const proof = proveNetworkMetric.response.parse(answer.json())
    expect(proof, `${metric}, day ${days}`).toMatchObject({
      timestamp: at(days),
      stored: Number(value),
      counted: Number(value),
      isEqual: true,
      lastIndexedBlock: metric === 'cBurnedFees' ? 2 : 4,
    })
    expect([proof.firstBlock, proof.lastBlock], metric).toEqual(blocks ?? [undefined, undefined])
  }
  expect((await prove('delegations', 11)).statusCode).toBe(404)
})

test('the statement of every series counts what the series has', async () => {
  const chains = { 'p-chain': fujiKeys.p, 'x-chain': fujiKeys.x, 'c-chain': fujiKeys.c }
  // The first ends as a stake does, the last with the head.
  const periods = [
    [at(0), at(3)],
    [at(3), at(5)],
    [at(5), at(9, 12 * hour) + 1],
  ] as const
  const metrics = networkMetricNames.filter((metric) => !isSampled(metric))
  const points = await Promise.all(
    metrics.map((metric) => {
      const chain = chains[networkMetricEntry(metric).chain]
      return Promise.all(
        periods.map(async ([start, end]) => {
          const [value] = await readNetworkSeries(store.database, chain, metric, [start, end])
          return { metric, start, end, stored: value ?? nothing }
        }),
      )
    }),
  )
  const all = points.flat()
  expect(all.length).toBeGreaterThan(150)
  const counted = await countStatements(
    network.service,
    all.map(({ metric, start, end }) => {
      const statement = networkProofOf(metric, { network: 'fuji', start, end, avax: cb58(avax) })
      if (!statement) throw new Error(`${metric} has no statement`)
      return statement
    }),
  )
  for (const [place, { metric, start, stored }] of all.entries()) {
    const { amount, per } = counted[place] ?? nothing
    const label = `${metric} from ${start}: ${amount}/${per}, stored ${stored.amount}/${stored.per}`
    if (per === 0n || stored.per === 0n) expect([amount, stored.amount], label).toEqual([0n, 0n])
    else expect(amount * stored.per, label).toBe(stored.amount * per)
  }
  // Each is more than 0 in one of them, except for those of transactions that no block here has.
  const empty = metrics.filter(
    (metric) => !all.some((point) => point.metric === metric && point.stored.amount !== 0n),
  )
  expect(empty).toEqual(['pExports', 'pStakingTransactions', 'xImports', 'xAssetTransactions'])
})

test('samples are in no block, so their points cannot be counted again', async () => {
  await store.database`
    insert into network_samples (chain, hour, ts, uptime_p50) values (${fujiKeys.p}, ${at(2)}, ${at(2, 9)}, 900000)`
  const refused = await prove('uptimeP50', 2)
  await store.database`delete from network_samples`
  expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
    422,
    'uptimeP50 is sampled from the node: blocks do not contain it',
  ])
})
