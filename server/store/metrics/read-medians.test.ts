import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, blockHash, seedChain, type SeedBlock } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { mergeMedians, readMedianGasPrices, type BlockSpan } from './read-medians.ts'

const prices: Record<number, readonly (readonly bigint[])[]> = {
  // Prices that exceed the precision of a double.
  1: [[9n, 2n], [4n], [], [2n ** 70n, 2n ** 70n + 3n]],
  2: [[7n, 7n], [1n]],
}

const blocksOf = (chain: number): SeedBlock[] =>
  (prices[chain] ?? []).map((ofBlock, number) => ({
    number,
    ts: 1_700_000_000 + number,
    txs: ofBlock.map((gasPrice) => ({ from: addressOf('a'), to: addressOf('b'), gasPrice })),
  }))

/** The blocks `from` to `to` of a chain. */
const span = (chain: number, from: number, to: number, branch?: string): BlockSpan => ({
  chain: BigInt(chain),
  above: BigInt(from - 1),
  last: BigInt(to),
  hash: Buffer.from(
    blockHash(chain, { number: to, ...(branch !== undefined && { branch }) }).slice(2),
    'hex',
  ),
})

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
  for (const chain of [1, 2]) await seedChain(store.database, { chain, blocks: blocksOf(chain) })
})
afterAll(() => store.drop())

test('a median is exact: the middle price, or the mean of the middle two rounded down', async () => {
  const periods = [
    [span(1, 0, 1)], // 2 4 9
    [span(1, 0, 0)], // 2 9
    [span(1, 2, 2)],
    [span(1, 3, 3)],
    [span(1, 0, 1), span(2, 0, 1)], // 1 2 4 7 7 9
  ]
  expect(await readMedianGasPrices(store.database, periods)).toEqual([4n, 5n, null, 2n ** 70n + 1n, 5n])
})

test('a period whose last block was replaced has no median', async () => {
  const periods = [[span(1, 0, 1, 'other')], [span(2, 0, 0)], [span(1, 0, 0), span(2, 0, 9)]]
  expect(await readMedianGasPrices(store.database, periods)).toEqual([undefined, 7n, undefined])
})

test('medians over chains on several servers are merged from the prices of each', async () => {
  const periods = [
    [span(1, 0, 1)],
    [span(1, 0, 0)],
    [span(1, 2, 2)],
    [span(1, 3, 3)],
    [span(1, 0, 1), span(2, 0, 1)],
    [span(1, 0, 0), span(2, 0, 9)],
  ]
  expect(await mergeMedians(store.database, [1n, 2n], periods)).toEqual([
    4n,
    5n,
    null,
    2n ** 70n + 1n,
    5n,
    undefined,
  ])
})
