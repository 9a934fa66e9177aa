import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { randomFrom } from '../../testing/primary-lives.ts'
import { avax, fujiKeys, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import {
  idText,
  nodeText,
  startPrimaryService,
  walletText,
  type PrimaryService,
} from '../../testing/primary-service.ts'

const day = 86_400
/** The first second of 2023, 2024 and 2025. */
const [y2023, y2024, y2025] = [1_672_531_200, 1_704_067_200, 1_735_689_600] as const
const now = y2025 + 100 * day

type Reward = { place: number; ts: number; node: string; type: number; amount: bigint; payees: string[] }
const random = randomFrom(8)
const rewards: Reward[] = Array.from({ length: 70 }, (_, place) => ({
  place,
  ts: y2023 + place * 12 * day + random(day),
  node: `node ${random(3)}`,
  type: 1 + random(3),
  amount: BigInt(1 + random(900)) * 1_000_000_000n,
  payees: ['ann', 'ben', 'cat'].filter(() => random(2) === 0),
}))
const named = (reward: Reward): string => `reward ${reward.place}`

let store: TestDatabase
let network: PrimaryService
let folder: string

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-rewards-'))
  // AVAX costs 10 in 2023 and 20.5 in 2024; no prices are known for 2025.
  const days = Array.from({ length: 731 }, (_, index) => y2023 + index * day)
  const prices = Object.fromEntries(
    days.map((ts) => [
      new Date(ts * 1000).toISOString().slice(0, 10),
      { usd: ts < y2024 ? '10' : '20.5', eur: '7' },
    ]),
  )
  const file = join(folder, 'prices.json')
  await writeFile(file, JSON.stringify({ assets: [{ id: 'native:43113', prices }] }))
  await insertPrimary(database, 'assets', [
    { chain: 12, height: 0, asset: avax, name: 'Avalanche', symbol: 'AVAX', ts: 0 },
  ])
  await insertPrimary(database, 'primary_blocks', [
    { chain: fujiKeys.p, height: 1_000, ts: now, id: idBytes('head'), parent_id: idBytes('parent') },
  ])
  const place = (reward: Reward) => ({ chain: fujiKeys.p, height: reward.place, index: 0 })
  await insertPrimary(
    database,
    'primary_transactions',
    rewards.map((reward) => ({
      ...place(reward),
      ts: reward.ts,
      type: 20,
      id: idBytes(`paying ${named(reward)}`),
    })),
  )
  await insertPrimary(
    database,
    'stakers',
    rewards.map((reward) => ({
      ...place(reward),
      tx_id: idBytes(`staking ${named(reward)}`),
      node: shortBytes(reward.node),
      start_ts: reward.ts - 1_000,
      end_ts: reward.ts,
      ended_ts: reward.ts,
      outcome: 'rewarded',
    })),
  )
  await insertPrimary(
    database,
    'rewards',
    rewards.map((reward) => ({
      ...place(reward),
      ordinal: reward.place % 2,
      ts: reward.ts,
      staking_tx: idBytes(`staking ${named(reward)}`),
      node: shortBytes(reward.node),
      type: reward.type,
      amount: reward.amount,
      utxo_id: idBytes(named(reward)),
      addresses: reward.payees.map(shortBytes),
    })),
  )
  await insertPrimary(
    database,
    'reward_owners',
    rewards.flatMap((reward) =>
      reward.payees.map((payee) => ({
        ...place(reward),
        ordinal: reward.place % 2,
        address: shortBytes(payee),
      })),
    ),
  )
  await insertPrimary(
    database,
    'utxos',
    rewards.map((reward) => ({
      chain: fujiKeys.p,
      height: reward.place,
      home: fujiKeys.p,
      output_index: 3,
      ts: reward.ts,
      tx_id: idBytes(`staking ${named(reward)}`),
      utxo_id: idBytes(named(reward)),
      amount: reward.amount,
    })),
  )
  // Two active stakers: a validator with a separate owner of its fees, and a delegator.
  const running = { chain: fujiKeys.p, node: shortBytes('node 9'), start_ts: now - 300, end_ts: now + 700 }
  await insertPrimary(database, 'stakers', [
    {
      ...running,
      height: 500,
      tx_id: idBytes('running'),
      shares: 100_000,
      potential_reward: '5000',
      reward_addresses: [shortBytes('ann')],
      delegation_reward_addresses: [shortBytes('fees')],
    },
    {
      ...running,
      height: 501,
      tx_id: idBytes('delegating'),
      is_delegator: true,
      validator_tx: idBytes('running'),
      potential_reward: '999',
      reward_addresses: [shortBytes('ben')],
    },
  ])
  network = await startPrimaryService(database, { prices: { file } })
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
  await rm(folder, { recursive: true, force: true })
})

const types = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE']
const of = (...names: string[]): string => `addresses=${names.map(walletText).join(',')}`
const at = (...nodes: string[]): string => `nodeIds=${nodes.map(nodeText).join(',')}`
const priceAt = (ts: number): string | undefined => {
  // Prices are valid for seven days: the first week of 2025 uses that of the last day of 2024.
  if (ts >= y2025 + 7 * day) return undefined
  return ts < y2024 ? '10' : '20.5'
}

describe('rewards', () => {
  test.each<[string, (reward: Reward) => boolean]>([
    [of('ann'), ({ payees }) => payees.includes('ann')],
    [of('ann', 'cat'), ({ payees }) => payees.includes('ann') || payees.includes('cat')],
    [at('node 1'), ({ node }) => node === 'node 1'],
    [at('node 0', 'node 2'), ({ node }) => node !== 'node 1'],
    [`${of('ben')}&${at('node 1')}`, ({ payees, node }) => payees.includes('ben') && node === 'node 1'],
    [
      `${at('node 1')}&rewardTypes=VALIDATOR,VALIDATOR_FEE`,
      ({ node, type }) => node === 'node 1' && type !== 2,
    ],
    [`${of('ann')}&rewardTypes=DELEGATOR`, ({ payees, type }) => payees.includes('ann') && type === 2],
  ])('?%s: each once, in both orders, with the price of their day', async (query, wanted) => {
    const expected = rewards.filter(wanted).map((reward) => {
      const price = priceAt(reward.ts)
      return {
        addresses: reward.payees.map(walletText),
        txHash: idText(`staking ${named(reward)}`),
        amountStaked: '2000000000000',
        nodeId: nodeText(reward.node),
        startTimestamp: reward.ts - 1_000,
        endTimestamp: reward.ts,
        rewardType: types[reward.type - 1],
        utxoId: idText(named(reward)),
        outputIndex: 1,
        reward: {
          assetId: idText('avax'),
          name: 'Avalanche',
          symbol: 'AVAX',
          denomination: 9,
          type: 'secp256k1',
          amount: reward.amount.toString(),
          ...(price !== undefined && { historicalPrice: { currencyCode: 'usd', value: price } }),
        },
        rewardTxHash: idText(`paying ${named(reward)}`),
      }
    })
    const list = (order: string) => `/rewards?${query}&pageSize=4&sortOrder=${order}`
    expect(await network.walk(list('asc'), 'historicalRewards')).toEqual(expected)
    expect(await network.walk(list('desc'), 'historicalRewards')).toEqual(expected.toReversed())
  })

  test('have the price in the requested currency, and none if it is unknown', async () => {
    const inEuro = await network.get(`/rewards?${of('ann')}&sortOrder=asc&currency=eur&pageSize=1`)
    expect(inEuro.body['historicalRewards']).toMatchObject([
      { reward: { historicalPrice: { currencyCode: 'eur', value: '7' } } },
    ])
    const inYen = await network.get(`/rewards?${of('ann')}&sortOrder=asc&currency=jpy&pageSize=1`)
    expect(JSON.stringify(inYen.body)).not.toContain('historicalPrice')
  })

  test.each([
    ['/rewards', 'at least one of addresses and nodeIds is required'],
    ['/rewards:listPending', 'at least one of addresses and nodeIds is required'],
    ['/rewards:byYear', 'at least one of addresses and nodeIds is required'],
    [`/rewards?${of('ann')}&currency=btc`, 'currency'],
    [`/rewards?${of('ann')}&rewardTypes=FEES`, 'rewardTypes'],
    [`/rewards?${of('ann')}&pageSize=101`, 'pageSize'],
    ['/unlocks', 'addresses'],
  ])('%s is a 400: %s', async (path, words) => {
    const { status, body } = await network.get(path)
    expect([status, String(body['message'])]).toEqual([400, expect.stringContaining(words)])
  })

  test('by year are those of the requested kinds', async () => {
    const { body } = await network.get(`/rewards:byYear?${at('node 1')}&rewardTypes=VALIDATOR,VALIDATOR_FEE`)
    const own = rewards.filter(({ node, type }) => node === 'node 1' && type !== 2)
    const sum = (body['years'] as { rewardCount: number; reward: { amount: string } }[]).reduce(
      (all, year) => [all[0] + year.rewardCount, all[1] + BigInt(year.reward.amount)] as [number, bigint],
      [0, 0n] as [number, bigint],
    )
    expect(sum).toEqual([own.length, own.reduce((all, { amount }) => all + amount, 0n)])
  })

  test('by year are summed, and valued if every day has a price', async () => {
    const { body } = await network.get(`/rewards:byYear?${of('ann', 'ben')}`)
    const own = rewards.filter(({ payees }) => payees.includes('ann') || payees.includes('ben'))
    const years = [2025, 2024, 2023].map((year) => {
      const paid = own.filter(({ ts }) => new Date(ts * 1000).getUTCFullYear() === year)
      const amount = paid.reduce((sum, reward) => sum + reward.amount, 0n)
      // Rewards are whole AVAX, at 10 dollars in 2023 and 20.5 in 2024.
      const tenths = (amount / 1_000_000_000n) * (year === 2023 ? 100n : 205n)
      const value = tenths % 10n === 0n ? `${tenths / 10n}` : `${tenths / 10n}.${tenths % 10n}`
      const isPriced = paid.every(({ ts }) => priceAt(ts) !== undefined)
      return {
        year,
        rewardCount: paid.length,
        reward: { symbol: 'AVAX', amount: amount.toString() },
        firstTimestamp: paid[0]?.ts,
        lastTimestamp: paid.at(-1)?.ts,
        ...(isPriced && { value: { currencyCode: 'usd', value } }),
      }
    })
    expect(body['years']).toMatchObject(years)
    expect((body['years'] as object[])[0]).not.toHaveProperty('value')
  })
})

test('pending rewards are each staker’s own, and a validator’s share of its delegators’', async () => {
  const found = async (query: string) =>
    (await network.walk(`/rewards:listPending?${query}&pageSize=1`, 'pendingRewards')).map(
      ({ rewardType, txHash, progress, estimatedReward, addresses }) =>
        [rewardType, txHash, progress, (estimatedReward as { amount: string }).amount, addresses] as const,
    )
  // 10 % of 999 is withheld: the delegator gets 899, the validator the rest.
  const delegation = ['DELEGATOR', idText('delegating'), 30, '899', [walletText('ben')]]
  const own = ['VALIDATOR', idText('running'), 30, '5000', [walletText('ann')]]
  const fees = ['VALIDATOR_FEE', idText('running'), 30, '100', [walletText('fees')]]
  expect(await found(at('node 9'))).toEqual([delegation, fees, own])
  expect(await found(`${at('node 9')}&sortOrder=asc`)).toEqual([own, fees, delegation])
  expect(await found(`${at('node 9')}&rewardTypes=VALIDATOR,VALIDATOR_FEE`)).toEqual([fees, own])
  expect(await found(of('ben'))).toEqual([delegation])
  expect(await found(of('fees'))).toEqual([fees])
  expect(await found(`${of('ann')}&${at('node 1')}`)).toEqual([])
})
