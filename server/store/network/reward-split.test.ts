import { afterAll, beforeAll, expect, test } from 'vitest'
import { splitReward } from '../../../protocol/primary/rewards.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { numbers } from '../../testing/token-history.ts'
import { netReward } from './read-validators.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(async () => {
  await store.drop()
})

/** Rewards of every size that a chain can pay, and those around which the arithmetic changes, each with many fees. */
function cases(): [reward: bigint, shares: number][] {
  const below = numbers(23)
  const edges = [
    0n,
    1n,
    999_999n,
    1_000_000n,
    9_223_372_036_854n,
    18_446_744_073_709n,
    720_000_000_000_000_000n,
  ]
  const rewards = [
    ...edges.flatMap((edge) => [edge - 1n, edge, edge + 1n].filter((reward) => reward >= 0n)),
    ...Array.from({ length: 400 }, () => (BigInt(below(2 ** 31 - 2)) ** 2n) >> BigInt(below(60))),
  ]
  return rewards.flatMap((reward): [bigint, number][] =>
    [0, 1, 20_000, 333_333, 999_999, 1_000_000, below(1_000_001)].map((shares) => [reward, shares]),
  )
}

test('the SQL of a net reward is the rule of the chain', async () => {
  const all = cases()
  const rows = await store.database.unsafe<{ net: string }[]>(
    `select (${netReward('reward', 'shares')})::text as net
     from unnest($1::text::numeric[], $2::text::integer[]) with ordinality as asked (reward, shares, place)
     order by place`,
    [`{${all.map(([reward]) => reward).join(',')}}`, `{${all.map(([, shares]) => shares).join(',')}}`],
  )
  const wrong = all.filter(
    ([reward, shares], place) => `${splitReward(reward, shares).rest}` !== rows[place]?.net,
  )
  expect(wrong).toEqual([])
  // Some products are above 64 bits, where the chain loses digits, and some are not.
  const wide = all.filter(([reward, shares]) => reward * (1_000_000n - BigInt(shares)) >= 2n ** 64n)
  expect(wide.length).toBeGreaterThan(100)
  expect(all.length - wide.length).toBeGreaterThan(100)
})
