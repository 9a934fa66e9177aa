import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodePTx } from '../../../protocol/primary/p-transactions.ts'
import { writePTx } from '../../../protocol/testing/avalanche.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'

// An auto-renewed validator with a ten-day period: three periods are finished, the fourth is running.
const period = 864_000
const begin = 1_800_000_000
const now = begin + 3 * period + 1_000
const stake = [2_000n, 2_030n, 2_060n, 2_090n].map((each) => each * 10n ** 9n)
const chain = fujiKeys.p
const node = shortBytes('renewed')
const place = (cycle: number) => ({ chain, height: 100 + cycle, index: 0 })
const endOf = (cycle: number): number => begin + (cycle + 1) * period

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  await insertPrimary(database, 'primary_blocks', [
    { chain, height: 1_000, ts: now, id: idBytes('head'), parent_id: idBytes('parent') },
  ])
  const transactions = [0, 1, 2].map((cycle) =>
    decodePTx(
      writePTx(
        {
          type: 'RewardAutoRenewedValidatorTx',
          stakingTxId: idBytes('staking'),
          time: BigInt(endOf(cycle)),
        },
        [],
      ),
    ),
  )
  await insertPrimary(
    database,
    'primary_transactions',
    transactions.map(({ id, bytes }, cycle) => ({
      ...place(cycle),
      ts: endOf(cycle),
      type: 42,
      id: Buffer.from(id),
      bytes: Buffer.from(bytes),
    })),
  )
  const terms = { chain, node, shares: 100_000, reward_addresses: [shortBytes('ann')] }
  await insertPrimary(database, 'stakers', [
    {
      ...terms,
      height: 50,
      tx_id: idBytes('staking'),
      weight: stake[3] ?? null,
      start_ts: begin + 3 * period,
      end_ts: begin + 4 * period,
      potential_reward: '7000',
      compound_shares: 300_000,
      next_period: 0,
      authority_addresses: [shortBytes('boss')],
      accrued_reward: '80',
      accrued_delegation_reward: '10',
      pending_delegation_reward: '55',
      delegator_count: 1,
      delegated: '500',
    },
    // One delegation was paid in an earlier period, one is running: a tenth of its reward is the validator's.
    {
      ...terms,
      shares: null,
      height: 51,
      tx_id: idBytes('over'),
      is_delegator: true,
      validator_tx: idBytes('staking'),
      weight: '500',
      start_ts: begin + 10,
      end_ts: begin + 20,
      ended_ts: begin + 20,
      outcome: 'rewarded',
      potential_reward: '100000',
    },
    {
      ...terms,
      shares: null,
      height: 52,
      tx_id: idBytes('running'),
      is_delegator: true,
      validator_tx: idBytes('staking'),
      weight: '500',
      start_ts: begin + 3 * period + 10,
      end_ts: begin + 4 * period,
      potential_reward: '1000',
    },
  ])
  await insertPrimary(
    database,
    'staking_cycles',
    [0, 1, 2].map((cycle) => ({
      ...place(cycle),
      ts: endOf(cycle),
      staking_tx: idBytes('staking'),
      node,
      start_ts: begin + cycle * period,
      end_ts: endOf(cycle),
      weight: stake[cycle] ?? null,
      potential_reward: '6000',
      outcome: 'renewed',
      reward: '4200',
      restaked: '1800',
    })),
  )
  await insertPrimary(
    database,
    'rewards',
    [0, 1, 2].map((cycle) => ({
      ...place(cycle),
      ts: endOf(cycle),
      staking_tx: idBytes('staking'),
      node,
      amount: '4200',
      utxo_id: idBytes(`utxo ${cycle}`),
      addresses: [shortBytes('ann')],
    })),
  )
  network = await startPrimaryService(database)
  // In the middle of the history, so the third and fourth periods are judged by the new rule.
  await database`update primary_chains set helicon_ts = ${begin + 2 * period} where chain = ${chain}`
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

const path = `/validators/${nodeText('renewed')}`

test('a validator shows its renewal settings, and counts its delegators by period', async () => {
  const { body } = await network.get(path)
  expect(body['validators']).toEqual([
    expect.objectContaining({
      startTimestamp: begin + 3 * period,
      endTimestamp: begin + 4 * period,
      amountStaked: '2090000000000',
      uptimeRequirement: 90,
      autoRenewal: {
        autoCompoundPercentage: '30.0000',
        nextPeriodSeconds: 0,
        authorityAddresses: [walletText('boss')],
        restakedValidationRewardAmount: '80',
        restakedDelegationRewardAmount: '10',
        pendingDelegationRewardAmount: '55',
      },
      potentialRewards: expect.objectContaining({
        validationRewardAmount: '7000',
        delegationRewardAmount: '155',
      }),
    }),
  ])
  const pending = await network.walk(`/rewards:listPending?nodeIds=${nodeText('renewed')}`, 'pendingRewards')
  const fees = pending.find((each) => each['rewardType'] === 'VALIDATOR_FEE')
  expect(fees?.['estimatedReward']).toMatchObject({ amount: '155' })
})

test('finished periods are listed latest first, page by page', async () => {
  const cycles = await network.walk(`${path}/cycles?pageSize=2`, 'cycles')
  const expected = [2, 1, 0].map((cycle) => ({
    txHash: idText('staking'),
    startTimestamp: begin + cycle * period,
    endTimestamp: endOf(cycle),
    amountStaked: stake[cycle]?.toString(),
    outcome: 'renewed',
    rewardTxHash: expect.any(String),
    potentialRewardAmount: '6000',
    validationRewardAmount: '4200',
    delegationRewardAmount: '0',
    restakedValidationRewardAmount: '1800',
    restakedDelegationRewardAmount: '0',
  }))
  expect(cycles).toEqual(expected)
})

test('the transaction that ended a period contains it, and so does its reward', async () => {
  const [row] = await network.walk(`${path}/cycles?pageSize=1`, 'cycles')
  const { body } = await network.get(`/blockchains/p-chain/transactions/${String(row?.['rewardTxHash'])}`)
  expect(body).toMatchObject({
    txType: 'RewardAutoRenewedValidatorTx',
    stakingTxHash: idText('staking'),
    startTimestamp: begin + 2 * period,
    endTimestamp: endOf(2),
    validationCycle: row,
  })
  const rewards = await network.walk(`/rewards?nodeIds=${nodeText('renewed')}`, 'historicalRewards')
  expect(rewards.map((each) => [each['amountStaked'], each['endTimestamp']])).toEqual(
    [2, 1, 0].map((cycle) => [stake[cycle]?.toString(), endOf(cycle)]),
  )
})

test('the stake over time changes with each period', async () => {
  const points = await network.walk(`${path}/stake`, 'points')
  const own = points.map((point) => [point['timestamp'], point['amountStaked']])
  expect(own).toEqual([
    [begin, '2000000000000'],
    [begin + 10, '2000000000000'],
    [begin + 20, '2000000000000'],
    [begin + period, '2030000000000'],
    [begin + 2 * period, '2060000000000'],
    [begin + 3 * period, '2090000000000'],
    [begin + 3 * period + 10, '2090000000000'],
  ])
})
