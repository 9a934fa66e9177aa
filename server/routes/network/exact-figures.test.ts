import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { splitReward } from '../../../protocol/primary/rewards.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import { idText, nodeText, startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

// Figures that a float or another rounding would change by little: fees of delegations, uptimes, bounds.

const now = 1_790_000_000
const primarySubnet = Buffer.alloc(32)

/** Validators with a fee in millionths and an uptime in percent as the node gives it. */
const validators = [
  { name: 'third', shares: 333_333, uptime: '91.1139' },
  { name: 'more', shares: 333_334, uptime: '91.114' },
  { name: 'two', shares: 20_000, uptime: '99.9999' },
  { name: 'all', shares: 1_000_000, uptime: '0.0001' },
  { name: 'whole', shares: 50_000, uptime: '100' },
] as const

/** Rewards whose share has a remainder, and one whose product passes 64 bits. */
const delegations = [
  { reward: 999n, ended: false, outcome: null },
  { reward: 1n, ended: false, outcome: null },
  { reward: 18_446_744_073_709_551n, ended: false, outcome: null },
  { reward: 5_336_876_543_211n, ended: true, outcome: 'rewarded' },
  { reward: 77_777n, ended: true, outcome: 'unrewarded' },
] as const

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(database, 'primary_blocks', [
    { chain: fujiKeys.p, height: 1_000, ts: now, id: idBytes('head'), parent_id: idBytes('parent') },
  ])
  const stake = { chain: fujiKeys.p, subnet: primarySubnet, weight: '2000000000000', start_ts: now - 10_000 }
  await insertPrimary(
    database,
    'stakers',
    validators.map(({ name, shares }, place) => ({
      ...stake,
      height: place + 1,
      tx_id: idBytes(name),
      node: shortBytes(name),
      end_ts: now + 10_000,
      shares,
      potential_reward: '1000',
      reward_addresses: [shortBytes('payee')],
    })),
  )
  await insertPrimary(
    database,
    'stakers',
    validators.flatMap(({ name }, of) =>
      delegations.map(({ reward, ended, outcome }, place) => ({
        ...stake,
        height: 100 + of * 10 + place,
        is_delegator: true,
        tx_id: idBytes(`delegation ${place} to ${name}`),
        node: shortBytes(name),
        end_ts: now + 5_000,
        validator_tx: idBytes(name),
        potential_reward: reward.toString(),
        ended_ts: ended ? now - 100 : null,
        outcome,
      })),
    ),
  )
  await insertPrimary(
    database,
    'uptime_samples',
    validators.map(({ name, uptime }) => ({
      chain: fujiKeys.p,
      node: shortBytes(name),
      tx_id: idBytes(name),
      ts: now - 5,
      uptime,
    })),
  )
  network = await startPrimaryService(database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

describe('the fees that a validator may expect', () => {
  test.each(validators)('are those of the chain in every answer: $name', async ({ name, shares }) => {
    // By the rule of the protocol, whose vectors are avalanchego's. A delegation without a reward has none to share.
    const expected = delegations
      .filter(({ outcome }) => outcome !== 'unrewarded')
      .reduce((sum, { reward }) => sum + splitReward(reward, shares).share, 0n)
      .toString()
    const outlook = await network.get(`/validators/${nodeText(name)}/outlook`)
    expect(outlook.body['reward']).toMatchObject({ delegationFees: expected })
    const list = await network.walk(`/rewards:listPending?nodeIds=${nodeText(name)}`, 'pendingRewards')
    const fee = list.find(({ rewardType }) => rewardType === 'VALIDATOR_FEE')
    expect(fee).toMatchObject({ estimatedReward: { amount: expected } })
    const [validation] = await network.walk(`/validators/${nodeText(name)}`, 'validators')
    expect(validation?.['potentialRewards']).toMatchObject({ delegationRewardAmount: expected })
  })
})

describe('uptimes', () => {
  test.each(validators)('are the decimals that the node gave: $uptime', async ({ name, uptime }) => {
    const [validation] = await network.walk(`/validators/${nodeText(name)}`, 'validators')
    expect(validation?.['uptimePerformance']).toBe(Number(uptime))
  })

  test.each([
    ['minUptimePerformance=91.1139', ['third', 'more', 'two', 'whole']],
    ['minUptimePerformance=91.11390000000001', ['more', 'two', 'whole']],
    ['maxUptimePerformance=91.1139', ['third', 'all']],
    ['maxUptimePerformance=91.11389999', ['all']],
    ['minUptimePerformance=99.9999&maxUptimePerformance=99.9999', ['two']],
    ['maxUptimePerformance=0.0001', ['all']],
  ])('are compared exactly: %s', async (query, names) => {
    const found = await network.walk(`/validators?${query}`, 'validators')
    expect(found.map(({ txHash }) => txHash).toSorted()).toEqual(names.map(idText).toSorted())
  })

  test('order a list, page by page', async () => {
    const found = await network.walk(
      '/validators?sortBy=uptimePerformance&sortOrder=asc&pageSize=1',
      'validators',
    )
    expect(found.map(({ txHash }) => txHash)).toEqual(
      ['all', 'third', 'more', 'two', 'whole'].map((name) => idText(name)),
    )
  })
})

describe('a bound by the fee', () => {
  test.each([
    ['minFeePercentage=33.3333', ['third', 'more', 'all']],
    ['minFeePercentage=33.33331', ['more', 'all']],
    ['minFeePercentage=33.33339', ['more', 'all']],
    ['minFeePercentage=33.33341', ['all']],
    ['maxFeePercentage=33.33339', ['third', 'two', 'whole']],
    ['maxFeePercentage=33.33331', ['third', 'two', 'whole']],
    ['maxFeePercentage=33.33329', ['two', 'whole']],
    ['minFeePercentage=2&maxFeePercentage=2', ['two']],
    ['minFeePercentage=1.99999999&maxFeePercentage=2.00000001', ['two']],
    ['minFeePercentage=2.00000001&maxFeePercentage=4.9999999', []],
  ])('lets pass nothing beyond it: %s', async (query, names) => {
    const found = await network.walk(`/validators?${query}`, 'validators')
    expect(found.map(({ txHash }) => txHash).toSorted()).toEqual(names.map(idText).toSorted())
  })
})
