import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, insertBlocks, revertTo, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { randomBlocks, seedBlocks } from '../../testing/token-history.ts'
import type { Database } from '../database.ts'
import { DayRankings } from './day-rankings.ts'
import { firstPlace, readLastDay, readTokenList, type ListedToken } from './read-token-list.ts'

const chain = 43113
const cast = {
  people: Array.from({ length: 4 }, (_, index) => addressOf(`party ${index}`)),
  tokens: Array.from({ length: 12 }, (_, index) => [20, addressOf(`coin ${index}`)] as const),
}
const history = randomBlocks(5, cast, 3, 60, Date.UTC(2026, 10, 1) / 1000)

let store: TestDatabase
let counted: Database
let rankings = 0
let time = 0

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: seedBlocks(history) })
  counted = new Proxy(store.database, {
    get(target, name) {
      if (name !== 'unsafe') return Reflect.get(target, name) as unknown
      return (text: string, ...more: [never]) => {
        if (text.includes('string_agg')) rankings += 1
        return target.unsafe(text, ...more)
      }
    },
  })
})
afterAll(() => store.drop())

const list = (day: { from: bigint; until: bigint }) =>
  readTokenList(
    store.database,
    BigInt(chain),
    { sort: 'lastDayTransferCount', name: undefined, day },
    firstPlace,
    500,
  )

async function pages(ranked: DayRankings, day: { from: bigint; until: bigint }, size: number) {
  const rows: ListedToken[] = []
  for (let place = firstPlace; ;) {
    const page = await ranked.read(counted, BigInt(chain), day, place, size)
    rows.push(...page)
    const last = page.at(-1)
    if (!last || page.length < size) return rows
    place = { value: last.sorted_by, token: last.token, kind: last.kind }
  }
}

test('a ranking gives the pages of the statement, and is made once until its last block is another or it is old', async () => {
  const ranked = new DayRankings(() => time)
  const head = history.at(-1)
  if (!head) throw new Error('no blocks')
  const whole = await readLastDay(store.database, BigInt(chain), head.ts + 3_600)
  // Some tokens did not move in the second.
  const days = [whole, { from: whole.until - 3n, until: whole.until - 1n }]
  for (const day of days) {
    const expected = await list(day)
    expect(expected.some(({ sorted_by: moved }) => moved === 0n)).toBe(day !== whole)
    const before = rankings
    for (const size of [1, 5, 500]) expect(await pages(ranked, day, size)).toEqual(expected)
    expect(rankings - before).toBe(1)
  }

  time += 60_000
  await pages(ranked, whole, 5)
  expect(rankings).toBe(3)

  await revertTo(store.database, chain, head.number - 1)
  const moves = history.flatMap((block) => block.moves).slice(0, 4)
  await insertBlocks(store.database, chain, seedBlocks([{ ...head, moves }], 'other'))
  const expected = await list(whole)
  expect(await pages(ranked, whole, 5)).toEqual(expected)
  expect(rankings).toBe(4)
})
