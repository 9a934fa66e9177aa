import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import type { Queryable } from '../database.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

const chains = [41, 42, 43]
const start = 1_700_000_000

/** A fixed sequence of numbers from 0 to below 1: mulberry32. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const id = (number: number): Buffer => createHash('sha256').update(String(number)).digest()

/** A UTXO made by one chain for another, spent at `spent` if given. */
const insert = (
  sql: Queryable,
  number: number,
  chain: number,
  home: number,
  ts: number,
  spent: number | null,
) => sql`
  insert into utxos (chain, height, tx_index, output_index, ts, tx_id, utxo_id, home, asset, amount, type, threshold,
    locktime, spent_chain, spent_height, spent_ts)
  values (${chain}, ${number}, 0, 0, ${ts}, ${id(number)}, ${id(-number)}, ${home}, ${id(0)}, 1, 7, 1, 0,
    ${spent === null ? null : home}, ${spent === null ? null : number}, ${spent})`

const spend = (sql: Queryable, home: number, ts: number, share: number) => sql`
  update utxos set spent_chain = ${home}, spent_height = height, spent_ts = ${ts}
  where home = ${home} and spent_ts is null and ts <= ${ts} and height % 10 < ${share}`

type Hour = { home: number; hour: string; change: string }

const kept = (): Promise<Hour[]> => store.database<Hour[]>`
  select home::integer, hour::text, sum(change)::text as change from utxo_hours
  group by home, hour having sum(change) <> 0 order by home, hour`

/** The same by counting the rows themselves. */
async function counted(): Promise<Hour[]> {
  const rows = await store.database<{ home: number; ts: bigint; spent_ts: bigint | null }[]>`
    select home::integer, ts, spent_ts from utxos`
  const sums = new Map<string, Hour & { count: number }>()
  const add = (home: number, ts: bigint, count: number): void => {
    const hour = String(ts - (ts % 3600n))
    const entry = sums.get(`${home} ${hour}`) ?? { home, hour, change: '', count: 0 }
    sums.set(`${home} ${hour}`, { ...entry, count: entry.count + count })
  }
  for (const { home, ts, spent_ts: spent } of rows) {
    add(home, ts, 1)
    if (spent !== null) add(home, spent, -1)
  }
  return [...sums.values()]
    .filter(({ count }) => count !== 0)
    .map(({ home, hour, count }) => ({ home, hour, change: String(count) }))
    .toSorted((a, b) => a.home - b.home || Number(a.hour) - Number(b.hour))
}

test('the hours equal a recount whatever is created, spent, given up and restored', async () => {
  const random = sequence(7)
  const pick = (count: number): number => Math.floor(random() * count)
  let number = 0
  let max = 0
  for (let round = 0; round < 60; round += 1) {
    const chain = chains[pick(3)] ?? 0
    const home = chains[pick(3)] ?? 0
    const ts = start + pick(40 * 3600)
    await store.database.begin(async (sql) => {
      await sql`select set_config('ridgeline.writer', ${String(chain)}, true)`
      for (let count = pick(8); count >= 0; count -= 1)
        await insert(sql, (number += 1), chain, home, ts, random() < 0.3 ? ts + pick(7200) : null)
      if (random() < 0.6) await spend(sql, chain, ts + 3600, pick(10))
      // A stake that ends later changes the row, but not the number of UTXOs.
      if (random() < 0.2) await sql`update utxos set staked_until = ${ts} where chain = ${chain}`
      if (random() < 0.1) {
        await sql`delete from utxos where chain = ${chain}`
        await sql`update utxos set spent_chain = null, spent_height = null, spent_ts = null where spent_chain = ${chain}`
      }
    })
    const hours = await kept()
    expect(hours, `round ${round}`).toEqual(await counted())
    max = Math.max(max, hours.length)
  }
  expect(max).toBeGreaterThan(20)
})

test('chains that are written at the same time add to the same hour without waiting', async () => {
  const { database } = store
  await database.begin(async (outer) => {
    await outer`select set_config('ridgeline.writer', '41', true)`
    await insert(outer, 10_001, 41, 43, start, null)
    await database.begin(async (inner) => {
      await inner`set local lock_timeout = '2s'`
      await inner`select set_config('ridgeline.writer', '42', true)`
      await insert(inner, 10_002, 42, 43, start, null)
    })
  })
  expect(await kept()).toEqual(await counted())
})

test('a transaction that fails leaves no trace', async () => {
  const before = await kept()
  const failing = store.database.begin(async (sql) => {
    await insert(sql, 20_001, 41, 41, start, null)
    throw new Error('stop')
  })
  await expect(failing).rejects.toThrow('stop')
  expect(await kept()).toEqual(before)
})

test('without UTXOs there are no hours', async () => {
  await store.database`truncate utxos`
  expect(await kept()).toEqual([])
})
