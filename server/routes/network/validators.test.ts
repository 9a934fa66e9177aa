import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { randomFrom } from '../../testing/primary-lives.ts'
import { fujiKeys, idBytes, insertPrimary, primarySubnet, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'

const now = 1_700_000_000
const avax = 1_000_000_000n
const maxStake = 3_000_000n * avax

type Staker = {
  name: string
  place: number
  node: string
  isPrimary: boolean
  weight: bigint
  start: number
  end: number
  shares: number | null
  delegated: bigint
  ended: number | null
  outcome: 'rewarded' | 'unrewarded' | 'removed' | null
  uptime: number | null
}
const random = randomFrom(21)
const validators: Staker[] = Array.from({ length: 120 }, (_, place) => {
  const isPrimary = random(5) > 0
  const age = random(4)
  const start = now + (age === 3 ? 1_000 : -20_000) + random(900)
  const outcome = age === 0 ? (['rewarded', 'unrewarded', 'removed'] as const)[random(3)] : undefined
  return {
    name: `validation ${place}`,
    place,
    node: `node ${random(40)}`,
    isPrimary,
    weight: BigInt(2_000 + random(4) * 800_000) * avax,
    start,
    end: age === 0 ? now - 500 + random(100) : now + 2_000 + random(30) * 100,
    shares: isPrimary ? 20_000 + random(5) * 10_000 : null,
    delegated: BigInt(random(3) * 5_000) * avax,
    ended: outcome ? now - 400 : null,
    outcome: outcome ?? null,
    uptime: random(4) === 0 ? null : random(21) * 5,
  }
})
const delegators = Array.from({ length: 90 }, (_, place) => ({
  name: `delegation ${place}`,
  place,
  of: validators[random(120)] as Staker,
  payee: `payee ${random(4)}`,
  reward: BigInt(1 + random(100_000)),
  status: (['completed', 'active', 'pending'] as const)[random(3)] ?? 'active',
  isPaid: random(2) === 0,
}))

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(database, 'primary_blocks', [
    { chain: fujiKeys.p, height: 1_000, ts: now, id: idBytes('head'), parent_id: idBytes('parent') },
  ])
  await insertPrimary(
    database,
    'stakers',
    validators.map((each) => ({
      chain: fujiKeys.p,
      // Delegations lie in between, so the positions are not those of validations alone.
      height: each.place * 2,
      index: each.place % 3,
      tx_id: idBytes(each.name),
      subnet: each.isPrimary ? primarySubnet : idBytes('subnet'),
      node: shortBytes(each.node),
      weight: each.weight,
      start_ts: each.start,
      end_ts: each.end,
      shares: each.shares,
      bls_key: each.place % 2 === 0 ? Buffer.alloc(48, 1) : null,
      bls_proof: each.place % 2 === 0 ? Buffer.alloc(96, 2) : null,
      reward_addresses: [shortBytes('payee 0')],
      delegated: each.delegated,
      delegator_count: 2,
      potential_reward: each.isPrimary ? '777' : null,
      ended_ts: each.ended,
      ended_tx: each.ended === null ? null : idBytes(`end of ${each.name}`),
      outcome: each.outcome,
      reward: each.outcome === 'rewarded' ? '700' : null,
      delegation_reward: each.outcome === 'rewarded' ? '70' : null,
    })),
  )
  await insertPrimary(
    database,
    'stakers',
    delegators.map((each) => ({
      chain: fujiKeys.p,
      height: each.place * 2 + 1,
      tx_id: idBytes(each.name),
      is_delegator: true,
      node: shortBytes(each.of.node),
      weight: 25n * avax,
      start_ts: each.status === 'pending' ? now + 10 : now - 10_000,
      end_ts: now + 1_000,
      validator_tx: idBytes(each.of.name),
      reward_addresses: [shortBytes(each.payee)],
      potential_reward: each.reward,
      ended_ts: each.status === 'completed' ? now - 100 : null,
      outcome: each.status !== 'completed' ? null : each.isPaid ? 'rewarded' : 'unrewarded',
    })),
  )
  await insertPrimary(
    database,
    'uptime_samples',
    validators.flatMap((each) =>
      each.uptime === null
        ? []
        : [
            {
              chain: fujiKeys.p,
              node: shortBytes(each.node),
              tx_id: idBytes(each.name),
              ts: now - 50,
              uptime: 1,
            },
            {
              chain: fujiKeys.p,
              node: shortBytes(each.node),
              tx_id: idBytes(each.name),
              ts: now - 5,
              uptime: each.uptime,
            },
          ],
    ),
  )
  network = await startPrimaryService(database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const statusOf = ({ outcome, ended, start }: Staker): string => {
  if (outcome === 'removed') return 'removed'
  if (ended !== null) return 'completed'
  return start > now ? 'pending' : 'active'
}
const capacityOf = (each: Staker): bigint => {
  if (each.ended !== null || !each.isPrimary) return 0n
  const max = each.weight * 5n < maxStake ? each.weight * 5n : maxStake
  const left = max - each.weight - each.delegated
  return left > 0n ? left : 0n
}
const remainingOf = ({ ended, end }: Staker): number => (ended === null ? end - now : 0)
const namesOf = (items: readonly Record<string, unknown>[]): unknown[] => items.map(({ txHash }) => txHash)
const latestFirst = (wanted: readonly { name: string }[]): string[] =>
  wanted.map(({ name }) => idText(name)).reverse()

const filters: readonly [string, (each: Staker) => boolean][] = [
  ['', () => true],
  ['validationStatus=active', (each) => statusOf(each) === 'active'],
  ['validationStatus=pending', (each) => statusOf(each) === 'pending'],
  ['validationStatus=completed', (each) => statusOf(each) === 'completed'],
  ['validationStatus=removed', (each) => statusOf(each) === 'removed'],
  [`subnetId=${idText('subnet')}`, ({ isPrimary }) => !isPrimary],
  [
    `nodeIds=${nodeText('node 3')},${nodeText('node 4')}`,
    ({ node }) => node === 'node 3' || node === 'node 4',
  ],
  [
    `nodeIds=${nodeText('node 5').slice(9, 16).toLowerCase()}`,
    ({ node }) => nodeText(node).toLowerCase().includes(nodeText('node 5').slice(9, 16).toLowerCase()),
  ],
  [`minDelegationCapacity=${4_000n * avax}`, (each) => capacityOf(each) >= 4_000n * avax],
  [
    `maxDelegationCapacity=${4_000n * avax}&validationStatus=active`,
    (each) => capacityOf(each) <= 4_000n * avax && statusOf(each) === 'active',
  ],
  [
    'minTimeRemaining=2500&maxTimeRemaining=3500',
    (each) => remainingOf(each) >= 2_500 && remainingOf(each) <= 3_500,
  ],
  ['minFeePercentage=3', ({ shares }) => shares !== null && shares >= 30_000],
  ['maxFeePercentage=2.5', ({ shares }) => shares !== null && shares <= 25_000],
  ['minUptimePerformance=50', ({ uptime }) => uptime !== null && uptime >= 50],
  ['maxUptimePerformance=50', ({ uptime }) => (uptime ?? 0) <= 50],
]

describe('validators', () => {
  test.each(filters)('?%s: each once, latest first', async (query, wanted) => {
    const found = await network.walk(`/validators?pageSize=17&${query}`, 'validators')
    expect(namesOf(found)).toEqual(latestFirst(validators.filter(wanted)))
  })

  const current = validators.filter(({ ended }) => ended === null)
  const sorts: readonly [string, (each: Staker) => number, readonly Staker[]][] = [
    ['startTimestamp', ({ start }) => start, current],
    // Subnets have no delegations: their validators show no capacity, and sort below a capacity of 0.
    ['delegationCapacity', (each) => (each.isPrimary ? Number(capacityOf(each)) : -1), current],
    ['timeRemaining', remainingOf, current],
    ['delegationFee', ({ shares }) => shares ?? 0, current.filter(({ shares }) => shares !== null)],
    ['uptimePerformance', ({ uptime }) => uptime ?? -1, current],
  ]
  test.each(
    sorts.flatMap(([key, value, of]) => [
      [key, 'asc', value, of] as const,
      [key, 'desc', value, of] as const,
    ]),
  )('by %s %s: those in force or announced, each once', async (key, order, value, of) => {
    const found = await network.walk(`/validators?sortBy=${key}&sortOrder=${order}&pageSize=7`, 'validators')
    const sign = order === 'asc' ? 1 : -1
    const expected = of.toSorted(
      (left, right) => sign * (value(left) - value(right) || left.place - right.place),
    )
    expect(namesOf(found)).toEqual(expected.map(({ name }) => idText(name)))
  })

  test('by a value and a filter at once', async () => {
    const query = 'sortBy=timeRemaining&sortOrder=asc&validationStatus=active&minUptimePerformance=20'
    const found = await network.walk(`/validators?${query}`, 'validators')
    const expected = current
      .filter((each) => statusOf(each) === 'active' && each.uptime !== null && each.uptime >= 20)
      .toSorted((left, right) => left.end - right.end || left.place - right.place)
    expect(namesOf(found)).toEqual(expected.map(({ name }) => idText(name)))
  })

  test('have the fields of their status', async () => {
    const found = await network.walk('/validators?pageSize=100', 'validators')
    const total = validators
      .filter((each) => each.isPrimary && statusOf(each) === 'active')
      .reduce((sum, { weight, delegated }) => sum + weight + delegated, 0n)
    for (const each of validators) {
      const item = found.find(({ txHash }) => txHash === idText(each.name))
      const status = statusOf(each)
      expect(item).toMatchObject({
        nodeId: nodeText(each.node),
        validationStatus: status,
        amountStaked: each.weight.toString(),
        startTimestamp: each.start,
        endTimestamp: each.end,
      })
      const fees = delegators
        .filter(({ of, status: its, isPaid }) => of === each && (its !== 'completed' || isPaid))
        .reduce(
          (sum, { reward }) => sum + reward - (reward * (1_000_000n - BigInt(each.shares ?? 0))) / 1_000_000n,
          0n,
        )
      expect(item?.['potentialRewards']).toEqual(
        status === 'active' && each.isPrimary
          ? {
              validationRewardAmount: '777',
              delegationRewardAmount: fees.toString(),
              rewardAddresses: [walletText('payee 0')],
            }
          : undefined,
      )
      expect(item?.['rewards']).toEqual(
        status === 'completed'
          ? {
              validationRewardAmount: each.outcome === 'rewarded' ? '700' : '0',
              delegationRewardAmount: each.outcome === 'rewarded' ? '70' : '0',
              rewardAddresses: [walletText('payee 0')],
              rewardTxHash: idText(`end of ${each.name}`),
            }
          : undefined,
      )
      expect(item?.['removeTxHash']).toBe(status === 'removed' ? idText(`end of ${each.name}`) : undefined)
      const own = delegators.filter(({ of }) => of === each)
      const stake = each.ended === null ? each.delegated : BigInt(own.length) * 25n * avax
      expect([item?.['delegatorCount'], item?.['amountDelegated']]).toEqual(
        status === 'pending' ? [undefined, undefined] : [each.ended === null ? 2 : own.length, `${stake}`],
      )
      expect(item?.['delegationFee']).toBe(each.shares === null ? undefined : `${each.shares / 10_000}.0000`)
      expect(item?.['uptimePerformance']).toBe(each.uptime ?? undefined)
      expect(item?.['delegationCapacity']).toBe(
        each.isPrimary && each.ended === null ? capacityOf(each).toString() : undefined,
      )
      if (status === 'active' && each.isPrimary) {
        expect(item?.['stakePercentage']).toBeCloseTo((Number(each.weight) / Number(total)) * 100, 8)
      }
    }
  })

  test('of one node are its validations, optionally of one status', async () => {
    const own = validators.filter(({ node }) => node === 'node 3')
    const path = `/validators/${nodeText('node 3')}`
    expect(namesOf(await network.walk(`${path}?pageSize=1`, 'validators'))).toEqual(latestFirst(own))
    expect(namesOf(await network.walk(`${path}?pageSize=1&sortOrder=asc`, 'validators'))).toEqual(
      own.map(({ name }) => idText(name)),
    )
    for (const status of ['completed', 'active', 'pending', 'removed']) {
      const found = await network.walk(`${path}?validationStatus=${status}`, 'validators')
      expect(namesOf(found)).toEqual(latestFirst(own.filter((each) => statusOf(each) === status)))
    }
  })

  test('a node added later is found by a part of its id', async () => {
    await insertPrimary(store.database, 'stakers', [
      {
        chain: 11,
        height: 2_000,
        tx_id: idBytes('late'),
        node: shortBytes('latecomer'),
        start_ts: 1,
        end_ts: now + 9,
      },
    ])
    const part = nodeText('latecomer').slice(12, 22)
    const found = await network.walk(`/validators?nodeIds=${part}`, 'validators')
    expect(namesOf(found)).toEqual([idText('late')])
    await store.database`delete from stakers where height = 2000`
  })

  test.each([
    ['sortBy=timeRemaining&validationStatus=completed', 'sortBy: timeRemaining is supported only for active'],
    [
      'sortBy=startTimestamp&validationStatus=completed',
      'sortBy: startTimestamp is supported only for active',
    ],
    ['sortBy=delegationFee&validationStatus=removed', 'sortBy: delegationFee is supported only for active'],
    ['sortBy=weight', 'sortBy'],
    ['minFeePercentage=101', 'minFeePercentage'],
    ['minDelegationCapacity=720000000000000001', 'minDelegationCapacity'],
    ['validationStatus=gone', 'validationStatus'],
    ['nodeIds=%20', 'nodeIds'],
    [`subnetId=${'1'.repeat(40)}`, 'subnetId'],
    ['pageSize=101', 'pageSize'],
  ])('?%s is a 400: %s', async (query, words) => {
    const { status, body } = await network.get(`/validators?${query}`)
    expect([status, String(body['message'])]).toEqual([400, expect.stringContaining(words)])
  })
})

describe('delegators', () => {
  type Delegation = (typeof delegators)[number]
  test.each<[string, (each: Delegation) => boolean]>([
    ['', () => true],
    ['delegationStatus=active', ({ status }) => status === 'active'],
    ['delegationStatus=pending', ({ status }) => status === 'pending'],
    ['delegationStatus=completed', ({ status }) => status === 'completed'],
    [`rewardAddresses=${walletText('payee 1')}`, ({ payee }) => payee === 'payee 1'],
    [
      `nodeIds=${nodeText('node 3')},${nodeText('node 6')}`,
      ({ of }) => ['node 3', 'node 6'].includes(of.node),
    ],
  ])('?%s: each once, in both orders', async (query, wanted) => {
    const expected = latestFirst(delegators.filter(wanted))
    expect(namesOf(await network.walk(`/delegators?pageSize=8&${query}`, 'delegators'))).toEqual(expected)
    const ascending = await network.walk(`/delegators?pageSize=8&sortOrder=asc&${query}`, 'delegators')
    expect(namesOf(ascending)).toEqual(expected.toReversed())
  })

  test('have estimates until they end, and then the paid rewards', async () => {
    const found = await network.walk('/delegators?pageSize=100', 'delegators')
    for (const each of delegators) {
      const item = found.find(({ txHash }) => txHash === idText(each.name))
      const net = (each.reward * (1_000_000n - BigInt(each.of.shares ?? 0))) / 1_000_000n
      const expected =
        each.status === 'completed'
          ? { grossReward: each.isPaid ? `${each.reward}` : '0', netReward: each.isPaid ? `${net}` : '0' }
          : { estimatedGrossReward: `${each.reward}`, estimatedNetReward: `${net}` }
      expect(item).toMatchObject({ delegationStatus: each.status, ...expected })
    }
  })
})
