import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { checkPrimaryTables, readOddHistory } from '../../verify/primary-tables.ts'
import { Findings } from '../../verify/findings.ts'
import { testPace, until } from '../testing/harness.ts'
import { runPrimaryIndexers } from './networks.ts'
import { localNetwork } from './testing/local-network.ts'
import { RecordedNode } from './testing/recorded-node.ts'
import {
  authority,
  day,
  endPeriod,
  period,
  stake,
  start,
  stopRenewing,
} from './testing/renewing-validator.ts'

// Every amount below was computed with the reward package of avalanchego 1.15, from the supply after the
// recorded blocks, 361196334254591903 nAVAX.

const p = 11
let testDatabase: TestDatabase
let node: RecordedNode
const abort = { current: new AbortController() }
let running: Promise<void>

async function follow(): Promise<void> {
  const quiet = () => undefined
  abort.current = new AbortController()
  running = runPrimaryIndexers({
    database: testDatabase.database,
    ...localNetwork(await url),
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.current.signal,
    pace: testPace,
  })
  running.catch(() => undefined)
}

async function leave(): Promise<void> {
  abort.current.abort()
  await running.catch(() => undefined)
}

let url: Promise<string>

beforeEach(async () => {
  testDatabase = await createTestDatabase()
  node = new RecordedNode()
  // The middle of the transition to the lower rate.
  node.behaviour.heliconTime = new Date((start - 45 * day) * 1000).toISOString()
  url = node.start()
  await follow()
})

afterEach(async () => {
  await leave()
  await node.stop()
  await testDatabase.drop()
})

async function indexed(): Promise<void> {
  await until('all blocks are indexed', async () => {
    const [row] = await testDatabase.database<{ height: bigint | null }[]>`
      select max(height) as height from primary_blocks where chain = ${p}`
    return Number(row?.height ?? -1n) === node.behaviour.pHeight
  })
}

async function supplyNow(): Promise<string | undefined> {
  const [row] = await testDatabase.database<{ supply: string }[]>`
    select supply from primary_blocks where chain = ${p} order by height desc limit 1`
  return row?.supply
}

async function validatorNow(validation: Uint8Array) {
  const [row] = await testDatabase.database`
    select weight, start_ts, end_ts, potential_reward, outcome, reward, delegation_reward, next_period,
      accrued_reward, accrued_delegation_reward, pending_delegation_reward
    from stakers where tx_id = ${Buffer.from(validation)}`
  return row
}

async function stakedUntil(validation: Uint8Array) {
  const rows = await testDatabase.database<{ staked_until: bigint }[]>`
    select staked_until from utxos where tx_id = ${Buffer.from(validation)} and staked_from is not null`
  return rows.map((row) => Number(row.staked_until))
}

/** The errors in the tables, except for the two stakes, which have no source here. */
async function findings(): Promise<readonly string[]> {
  const found = new Findings()
  await checkPrimaryTables(testDatabase.database, p, found)
  const stakes = await testDatabase.database<{ id: string }[]>`
    select encode(tx_id, 'hex') as id from stakers where start_ts >= ${start}`
  const known = stakes.map(({ id }) => `a transaction makes more AVAX than it spends: transaction ${id}`)
  return found.all().filter((each) => !known.some((one) => each.endsWith(one)))
}

test('a validator restakes a part of its rewards, and is paid everything accrued when it leaves', async () => {
  const validation = stake(node, 2_000_000_000_000n, 300_000, 1_082_525_967n)
  await indexed()
  expect(await validatorNow(validation)).toMatchObject({
    weight: '2000000000000',
    potential_reward: '6762858600',
    pending_delegation_reward: '120280664',
  })
  // The state between two periods is read again from the store.
  await leave()
  await follow()
  endPeriod(node, validation, start + period, 31, [4_734_001_020n, 84_196_464n])
  await indexed()
  expect(await validatorNow(validation)).toEqual({
    weight: '2002064941780',
    start_ts: BigInt(start + period),
    end_ts: BigInt(start + 2 * period),
    potential_reward: '6484629042',
    outcome: null,
    reward: '4734001020',
    delegation_reward: '84196464',
    next_period: BigInt(period),
    accrued_reward: '2028857580',
    accrued_delegation_reward: '36084200',
    pending_delegation_reward: '0',
  })
  expect(await supplyNow()).toBe('361196348704886176')
  expect(await stakedUntil(validation)).toEqual([start + 2 * period])

  await leave()
  await follow()
  stopRenewing(node, validation, start + period + day)
  endPeriod(node, validation, start + 2 * period, 31, [8_513_486_622n, 36_084_200n])
  await indexed()
  expect(await validatorNow(validation)).toMatchObject({
    outcome: 'rewarded',
    reward: (4_734_001_020n + 8_513_486_622n).toString(),
    delegation_reward: (84_196_464n + 36_084_200n).toString(),
  })
  const cycles = await testDatabase.database`
    select start_ts, end_ts, weight, outcome, reward, delegation_reward, restaked, restaked_delegation
    from staking_cycles where staking_tx = ${Buffer.from(validation)} order by height`
  expect([...cycles]).toEqual([
    {
      start_ts: BigInt(start),
      end_ts: BigInt(start + period),
      weight: '2000000000000',
      outcome: 'renewed',
      reward: '4734001020',
      delegation_reward: '84196464',
      restaked: '2028857580',
      restaked_delegation: '36084200',
    },
    {
      start_ts: BigInt(start + period),
      end_ts: BigInt(start + 2 * period),
      weight: '2002064941780',
      outcome: 'rewarded',
      reward: '8513486622',
      delegation_reward: '36084200',
      restaked: '0',
      restaked_delegation: '0',
    },
  ])
  const acted = await testDatabase.database<{ type: number }[]>`
    select type from primary_address_transactions where address = ${authority} and chain = ${p} order by height`
  expect(acted.map(({ type }) => type)).toEqual([40, 41])
  expect(await findings()).toEqual([])
})

test('without a reward it leaves with its accrued rewards, and the supply loses the potential reward', async () => {
  const validation = stake(node, 2_000_000_000_000n, 300_000, 1_082_525_967n)
  endPeriod(node, validation, start + period, 31, [4_734_001_020n, 84_196_464n])
  endPeriod(node, validation, start + 2 * period, 30, [2_028_857_580n, 36_084_200n])
  await indexed()
  expect(await validatorNow(validation)).toMatchObject({
    outcome: 'unrewarded',
    weight: '2002064941780',
    reward: (4_734_001_020n + 2_028_857_580n).toString(),
  })
  expect(await supplyNow()).toBe('361196342220257134')
  expect(await stakedUntil(validation)).toEqual([start + 2 * period])
  expect(await findings()).toEqual([])
})

test('a validator grows to the maximum stake, and the rest is paid out', async () => {
  const validation = stake(node, 2_999_999_999_000_000n, 1_000_000, 1_082_465_001n)
  endPeriod(node, validation, start + period, 31, [10_144_286_898_048n, 120_273_878n])
  await indexed()
  expect(await validatorNow(validation)).toMatchObject({
    weight: '3000000000000000',
    potential_reward: '9716363892219',
    accrued_reward: '999988',
    accrued_delegation_reward: '12',
  })
  expect(await findings()).toEqual([])
})

test('a payment that contradicts the rules counts as the node paid it, and is listed', async () => {
  const validation = stake(node, 2_000_000_000_000n, 300_000, 1_082_525_967n)
  await indexed()
  const { database } = testDatabase
  const supply = async (): Promise<bigint> => {
    const [row] = await database<{ supply: string }[]>`
      select supply from primary_blocks where chain = ${p} order by height desc limit 1`
    return BigInt(row?.supply ?? 0)
  }
  const rewards = async (): Promise<bigint> => {
    const [row] = await database<{ amount: string }[]>`
      select coalesce(sum(amount), 0) as amount from rewards where chain = ${p}`
    return BigInt(row?.amount ?? 0)
  }
  const before = { rewards: await rewards(), supply: await supply() }
  // One nAVAX less than the rules give; the next period's reward is minted with the same block.
  endPeriod(node, validation, start + period, 31, [4_734_001_020n, 84_196_463n])
  await indexed()
  expect((await rewards()) - before.rewards).toBe(4_734_001_020n + 84_196_463n)
  const odd = await readOddHistory(database, p)
  expect(odd.shown).toEqual([
    expect.stringMatching(/was paid another reward than the rules give .*4734001020 and 84196463 nAVAX/),
  ])
  const [next] = await database<{ potential: string }[]>`
    select potential_reward as potential from stakers where tx_id = ${Buffer.from(validation)}`
  const wanted = odd.shown[0]?.match(/by the rules (\d+) and (\d+)/)?.slice(1) ?? []
  const due = wanted.reduce((sum, each) => sum + BigInt(each), 0n)
  expect((await supply()) - before.supply).toBe(
    BigInt(next?.potential ?? 0) + 4_734_001_020n + 84_196_463n - due,
  )
})
