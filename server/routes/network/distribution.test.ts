import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import type { getValidatorDistribution } from '../../../contract/network/staking.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { randomFrom } from '../../testing/primary-lives.ts'
import { fujiKeys, idBytes, insertPrimary, primarySubnet, shortBytes } from '../../testing/primary-rows.ts'
import { startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

const now = 1_700_000_000
const avax = 1_000_000_000n
const random = randomFrom(77)

/** Stakes and uptimes at bounds of bins, just below them, and anywhere. */
const weights = [2_000n * avax, 2_000n * avax - 1n, 1n, 5_000n * avax, 3_000_000n * avax]
const uptimes = [100, 99.9, 99.5, 99.48, 80, 79.99, 0, null]
const stakers = Array.from({ length: 160 }, (_, place) => ({
  name: `staker ${place}`,
  weight: weights[random(8)] ?? BigInt(1 + random(40_000)) * avax,
  delegated: random(3) === 0 ? BigInt(random(90_000)) * avax : 0n,
  uptime: uptimes[random(10)] ?? (random(2) === 0 ? null : random(10_000) / 100),
  /** Only those of kind 0 and 1 are active validators of the primary network. */
  kind: (['active', 'active', 'pending', 'ended', 'subnet', 'delegator'] as const)[random(6)] ?? 'active',
}))
const active = stakers.filter(({ kind }) => kind === 'active')

type Answer = ResponseOf<typeof getValidatorDistribution>

let store: TestDatabase
let network: PrimaryService
const distribution = async (): Promise<Answer> => {
  const { status, body } = await network.get('/validatorDistribution')
  expect(status).toBe(200)
  return body as unknown as Answer
}

beforeAll(async () => {
  store = await createTestDatabase()
  await insertPrimary(store.database, 'primary_blocks', [
    { chain: fujiKeys.p, height: 1_000, ts: now, id: idBytes('head'), parent_id: idBytes('parent') },
  ])
  network = await startPrimaryService(store.database)
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

test('of no validator has no bin by stake, and empty bins by uptime', async () => {
  const answer = await distribution()
  expect(answer).toMatchObject({ validatorCount: 0, amountStaked: '0', stake: [], unsampledCount: 0 })
  expect(answer.uptime.map(({ validatorCount }) => validatorCount)).toEqual(Array(9).fill(0))
})

test('counts each active validator of the primary network in the bin of its stake and of its uptime', async () => {
  await insertPrimary(
    store.database,
    'stakers',
    stakers.map(({ name, weight, delegated, kind }, height) => ({
      chain: fujiKeys.p,
      height,
      tx_id: idBytes(name),
      is_delegator: kind === 'delegator',
      subnet: kind === 'subnet' ? idBytes('subnet') : primarySubnet,
      node: shortBytes(name),
      weight,
      delegated,
      start_ts: kind === 'pending' ? now + 10 : now - 1_000,
      end_ts: now + 1_000,
      shares: 20_000,
      ended_ts: kind === 'ended' ? now - 10 : null,
      outcome: kind === 'ended' ? 'rewarded' : null,
    })),
  )
  await insertPrimary(
    store.database,
    'uptime_samples',
    stakers.flatMap(({ name, uptime }) =>
      uptime === null
        ? []
        : [
            { chain: fujiKeys.p, node: shortBytes(name), tx_id: idBytes(name), ts: now - 9, uptime: 85 },
            { chain: fujiKeys.p, node: shortBytes(name), tx_id: idBytes(name), ts: now - 5, uptime },
          ],
    ),
  )
  const answer = await distribution()
  const sum = (of: typeof active, part: 'weight' | 'delegated'): string =>
    of.reduce((total, each) => total + each[part], 0n).toString()
  const counts = (of: typeof active) => ({
    validatorCount: of.length,
    amountStaked: sum(of, 'weight'),
    amountDelegated: sum(of, 'delegated'),
  })
  expect(answer).toMatchObject({ timestamp: now, ...counts(active) })

  for (const [index, bin] of answer.stake.entries()) {
    const [from, below] = [BigInt(bin.from), BigInt(bin.below)]
    const inside = active.filter(
      ({ weight, delegated }) => weight + delegated >= from && weight + delegated < below,
    )
    expect(bin).toEqual({ from: bin.from, below: bin.below, ...counts(inside) })
    if (index > 0) expect(bin.from).toBe(answer.stake[index - 1]?.below)
  }
  expect(answer.stake.map(({ from }) => from)).toContain((2_000n * avax).toString())
  expect(answer.stake[0]?.validatorCount).toBeGreaterThan(0)
  expect(answer.stake.at(-1)?.validatorCount).toBeGreaterThan(0)
  expect(answer.stake.reduce((total, bin) => total + bin.validatorCount, 0)).toBe(active.length)

  expect(answer.unsampledCount).toBe(active.filter(({ uptime }) => uptime === null).length)
  for (const { from, below, validatorCount } of answer.uptime) {
    // Samples have the precision of the node's 32-bit floats.
    const inside = active.filter(
      ({ uptime }) =>
        uptime !== null &&
        Math.fround(uptime) >= from &&
        (below === undefined || Math.fround(uptime) < below),
    )
    expect(validatorCount, `from ${from}`).toBe(inside.length)
    // The page filters the list by a bin; bounds of the list are inclusive.
    const max = below === undefined ? '' : `&maxUptimePerformance=${below - 0.000001}`
    const listed = await network.walk(
      `/validators?pageSize=100&validationStatus=active&subnetId=11111111111111111111111111111111LpoYY&minUptimePerformance=${from}${max}`,
      'validators',
    )
    expect(listed, `from ${from}`).toHaveLength(inside.length)
  }
  expect(answer.uptime.reduce((total, bin) => total + bin.validatorCount, answer.unsampledCount)).toBe(
    active.length,
  )
})
