import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  networkMetricEntry,
  networkMetricNames,
  type NetworkMetricName,
} from '../../../contract/metrics/network-catalogue.ts'
import { timeIntervals, type TimeInterval } from '../../../contract/metrics/intervals.ts'
import { proveNetworkMetric } from '../../../contract/metrics/proof.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { atomicTx } from '../../../protocol/primary/atomic.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

type Point = { value: number; timestamp: number }
type Page = { results: Point[]; nextPageToken?: string }

const hour = 3_600
const day = 86_400
/** Monday 1 January 2024, 0:00. */
const start = 1_704_067_200
const at = (days: number, seconds = 0): number => start + days * day + seconds
const AVAX = 1_000_000_000n

/** Signed bytes as the store has them. */
const withoutVersion = (bytes: Uint8Array = new Uint8Array()): Buffer => Buffer.from(bytes.subarray(2))

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  network = await startPrimaryService(store.database)
  const { database } = store
  const { p, x } = fujiKeys
  // The P-chain's head is at noon of day 9. The block of day 3 is its first second, so it belongs to day 3.
  const blocks: [ts: number, supply: bigint, accrued: bigint, active: number][] = [
    [at(0, 1), 400_000_000n * AVAX, 0n, 0],
    [at(1, 60), 400_000_001n * AVAX, 0n, 2],
    [at(3), 400_000_002n * AVAX, 300n, 1],
    [at(4, 60), 400_000_003n * AVAX, 500n, 1],
    [at(9, 12 * hour), 480_000_000n * AVAX, 700n, 1],
  ]
  await insertPrimary(database, 'primary_blocks', [
    ...blocks.map(([ts, supply, accrued_fees, active_l1_validators], height) => ({
      chain: p,
      height,
      ts,
      id: idBytes(`p ${height}`),
      parent_id: idBytes(`p ${height - 1}`),
      supply,
      accrued_fees,
      active_l1_validators,
    })),
    ...[at(0, 1), at(5)].map((ts, height) => ({
      chain: x,
      height,
      ts,
      id: idBytes(`x ${height}`),
      parent_id: idBytes(`x ${height - 1}`),
    })),
  ])
  const stake = (
    name: string,
    height: number,
    node: string,
    avaxAmount: bigint,
    start_ts: number,
    end_ts: number,
    ended_ts: number | null,
    more: Record<string, string | boolean> = {},
  ) => ({
    chain: p,
    height,
    index: 0,
    tx_id: idBytes(name),
    node: shortBytes(node),
    weight: avaxAmount * AVAX,
    start_ts,
    end_ts,
    ended_ts,
    potential_reward: '7',
    ...more,
  })
  await insertPrimary(database, 'stakers', [
    stake('genesis', 0, 'a', 1_000n, at(0, 1), at(400), null),
    stake('second', 1, 'b', 600n, at(1, 60), at(3), at(3)),
    // Auto-renewed: its first period is a finished one of `staking_cycles`.
    stake('renewed', 2, 'c', 260n, at(4, 60), at(14), null),
    stake('delegation', 3, 'a', 100n, at(4, 60), at(9, 12 * hour), at(9, 12 * hour), { is_delegator: true }),
    { ...stake('subnet', 4, 'd', 9n, at(1), at(300), null), subnet: idBytes('some subnet') },
  ])
  await insertPrimary(database, 'staking_cycles', [
    {
      chain: p,
      height: 3,
      ts: at(4, 60),
      staking_tx: idBytes('renewed'),
      node: shortBytes('c'),
      start_ts: at(1, 60),
      end_ts: at(4, 60),
      weight: 250n * AVAX,
      potential_reward: '10',
      outcome: 'renewed',
      reward: '0',
    },
  ])
  const reward = (height: number, ts: number, stakingTx: string, type: number, amount: bigint) => ({
    chain: p,
    height,
    index: 0,
    ordinal: type,
    ts,
    staking_tx: idBytes(stakingTx),
    node: shortBytes('a'),
    type,
    amount,
    utxo_id: idBytes(`reward ${stakingTx} ${type}`),
    addresses: [],
  })
  await insertPrimary(database, 'rewards', [
    reward(2, at(3), 'second', 1, 11n),
    reward(4, at(9, 12 * hour), 'delegation', 2, 5n),
    reward(4, at(9, 12 * hour), 'delegation', 3, 2n),
    // In the token of an elastic subnet.
    reward(4, at(9, 12 * hour), 'subnet', 1, 1_000n),
  ])
  const transaction = (chain: number, height: number, index: number, ts: number, type: number) => ({
    chain,
    height,
    index,
    ts,
    type,
    id: idBytes(`tx ${chain} ${height} ${index}`),
  })
  const { c } = fujiKeys
  await insertPrimary(
    database,
    'primary_blocks',
    [at(0, 1), at(1), at(3, 5)].map((ts, height) => ({
      chain: c,
      height,
      ts,
      id: idBytes(`c ${height}`),
      parent_id: idBytes(`c ${height - 1}`),
    })),
  )
  const [{ avax = Buffer.alloc(0) } = {}] = await database<{ avax: Buffer }[]>`
    select avax_asset as avax from primary_chains where chain = ${c}`
  const place = { networkId: 5, blockchainId: idBytes('c'), sourceChain: idBytes('x') }
  const account = { address: shortBytes('account'), assetId: avax }
  const input = (amount: bigint, assetId: Buffer) => ({
    txId: idBytes('spent'),
    outputIndex: 0,
    assetId,
    amount,
    stakeableLocktime: 0n,
    signatureIndices: [0],
  })
  const owner = { locktime: 0n, threshold: 1, addresses: [shortBytes('owner')] }
  const atomics = [
    // 700 AVAX in, 650 out; what is imported in another asset does not count.
    encode(atomicTx, {
      unsigned: {
        type: 'ImportTx',
        ...place,
        importedInputs: [input(300n, avax), input(400n, avax), input(9n, idBytes('other'))],
        evmOutputs: [{ ...account, amount: 650n }],
      },
      credentials: [],
    }),
    // 500 in, 480 out, at the first second of the day.
    encode(atomicTx, {
      unsigned: {
        type: 'ExportTx',
        ...place,
        destinationChain: idBytes('x'),
        evmInputs: [{ ...account, amount: 500n, nonce: 3n }],
        exportedOutputs: [
          { assetId: avax, output: { type: 'TRANSFER', amount: 480n, stakeableLocktime: 0n, owner } },
        ],
      },
      credentials: [],
    }),
  ]
  await insertPrimary(database, 'primary_transactions', [
    { ...transaction(c, 2, 0, at(3, 5), 0), bytes: withoutVersion(atomics[0]) },
    { ...transaction(c, 1, 0, at(1), 1), bytes: withoutVersion(atomics[1]) },
    transaction(p, 0, 0, at(0, 1), 12),
    transaction(p, 1, 0, at(1, 60), 34),
    transaction(p, 1, 1, at(1, 60), 17),
    transaction(p, 2, 0, at(3), 20),
    transaction(p, 3, 0, at(4, 60), 36),
    transaction(p, 4, 0, at(9, 12 * hour), 34),
    transaction(x, 0, 0, at(0, 1), 1),
    // Accepted in vertices, before the X-chain had blocks.
    transaction(x, -1, 0, at(2, 5), 0),
    transaction(x, -1, 1, at(2, 6), 4),
    transaction(x, 1, 0, at(5), 0),
  ])
  const utxo = (
    name: string,
    chain: number,
    height: number,
    ts: number,
    amount: bigint,
    spent: { chain: number; height: number; ts: number } | null,
    more: Record<string, string | number | Buffer> = {},
  ) => ({
    chain,
    home: chain,
    height,
    tx_index: 0,
    output_index: Number(`0x${idBytes(name).toString('hex', 0, 2)}`),
    ts,
    tx_id: idBytes(`tx of ${name}`),
    utxo_id: idBytes(name),
    amount,
    spent_chain: spent?.chain ?? null,
    spent_height: spent?.height ?? null,
    spent_ts: spent?.ts ?? null,
    ...more,
  })
  const p1 = { chain: p, height: 1, ts: at(1, 60) }
  const p2 = { chain: p, height: 2, ts: at(3) }
  const p3 = { chain: p, height: 3, ts: at(4, 60) }
  await insertPrimary(database, 'utxos', [
    utxo('p genesis', p, 0, at(0, 1), 1_800n, p1),
    // Block 1: 1,800 in, 700 out, 200 to the X-chain, 800 into balances of L1 validators.
    utxo('p out', p, 1, at(1, 60), 700n, p3),
    utxo('p export', p, 1, at(1, 60), 200n, { chain: x, height: 1, ts: at(5) }, { home: x }),
    // A reward is no output of a transaction.
    utxo('p reward', p, 2, at(3), 11n, null, { reward_type: 1 }),
    // Block 3: 700 in, 90 out, 600 into the balance of an L1 validator.
    utxo('p change', p, 3, at(4, 60), 90n, null),
    utxo('other asset', p, 3, at(4, 60), 5n, p2, { asset: idBytes('other') }),
    // X, block 1: 200 in, 150 out.
    utxo('x out', x, 1, at(5), 150n, null),
    // A vertex: 40 in, 30 out.
    utxo('x genesis', x, 0, at(0, 1), 40n, { chain: x, height: -1, ts: at(2, 5) }),
    utxo('x vertex', x, -1, at(2, 5), 30n, null),
  ])
  await insertPrimary(database, 'subnets', [
    { chain: p, height: 0, ts: at(0, 1), subnet: Buffer.alloc(32) },
    { chain: p, height: 1, ts: at(1, 60), subnet: idBytes('s1'), conversion_ts: at(4, 60) },
    { chain: p, height: 3, ts: at(4, 60), subnet: idBytes('s2') },
  ])
  await insertPrimary(database, 'blockchains', [
    { chain: p, height: 0, ts: at(0, 1), blockchain_id: idBytes('chain 0'), name: 'X' },
    { chain: p, height: 3, ts: at(4, 60), blockchain_id: idBytes('chain 1'), name: 'S' },
  ])
  const change = (
    validator: string,
    height: number,
    ts: number,
    weight: number,
    balance_change: number,
    end_fee: number | null,
    index = 0,
  ) => ({
    validation_id: idBytes(validator),
    chain: p,
    height,
    index,
    ts,
    weight: String(weight),
    balance_change: String(balance_change),
    end_fee: end_fee === null ? null : String(end_fee),
  })
  await insertPrimary(database, 'l1_validator_changes', [
    change('one', 1, at(1, 60), 100, 500, 500),
    change('two', 1, at(1, 60), 50, 300, 300),
    // Used up when 300 are accrued; paid in again by block 3, whose accrued fees are 500.
    change('two', 2, at(3), 50, 0, null, -1),
    change('one', 3, at(4, 60), 100, 0, null, -1),
    change('two', 3, at(4, 60), 50, 600, 1_100),
  ])
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
    ['pTransactions', [0, 2, 0, 1, 1, 0, 0, 0, 0, 1]],
    ['pTransfers', [0, 1, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['pImports', [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['pRewardTransactions', [0, 0, 0, 1, 0, 0, 0, 0, 0, 0]],
    ['l1Messages', [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]],
    ['pBurnedFees', [0, 100, 0, 0, 10, 0, 0, 0, 0, 0]],
    ['pUtxos', [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]],
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

  test('metrics of the X-chain include vertices and end at its own head', async () => {
    expect(await values('xTransactions')).toEqual([0, 0, 2, 0, 0, 1])
    expect(await values('xExports')).toEqual([0, 0, 1, 0, 0, 0])
    expect(await values('xBurnedFees')).toEqual([0, 0, 10, 0, 0, 50])
    expect(await values('cBurnedFees')).toEqual([0, 20, 0, 50])
    expect(await values('xUtxos')).toEqual([1, 2, 2, 2, 2, 2])
  })
})

test('expiring stake goes on to the end of the last running stake', async () => {
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

test.each(timeIntervals)(
  'pages of one and three periods give the same points by %s',
  async (interval) => {
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
  },
  60_000,
)

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
}, 60_000)

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

/** A day, and what delegations and rewards are at its end or in it, by hand. */
const provenDays: [NetworkMetricName, days: number, value: bigint][] = [
  ['delegations', 5, 1n],
  ['delegatedStake', 5, 100n * AVAX],
  ['delegationsEntered', 4, 1n],
  // The day of the head: the delegation ends with its second.
  ['delegations', 9, 0n],
  ['delegationsLeft', 9, 1n],
  ['rewardsPaid', 9, 7n],
  ['validatorRewardsPaid', 3, 11n],
  ['delegatorRewardsPaid', 9, 5n],
  ['delegationFeesPaid', 9, 2n],
]

test('series whose rows are in the tables for SQL are counted again, and others are refused', async () => {
  const prove = (metric: NetworkMetricName, days: number) =>
    network.service.app.inject({
      url: `/v2/networks/fuji/metrics/${metric}/proof?timestamp=${at(days, hour)}`,
      headers: { host: 'localhost' },
    })
  for (const [metric, days, value] of provenDays) {
    const answer = await prove(metric, days)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(proveNetworkMetric.response.parse(answer.json()), `${metric}, day ${days}`).toMatchObject({
      timestamp: at(days),
      stored: Number(value),
      counted: Number(value),
      isEqual: true,
      lastIndexedBlock: 4,
    })
  }
  const refused = await prove('totalStake', 5)
  expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
    422,
    'the tables for SQL do not have the rows behind totalStake',
  ])
  expect((await prove('delegations', 11)).statusCode).toBe(404)
})
