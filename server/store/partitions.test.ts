import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedChain } from '../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { ensurePartitions, partitionedTables, partsOf } from './partitions.ts'

let store: TestDatabase

beforeAll(async () => {
  store = await createTestDatabase()
})

afterAll(() => store?.drop())

const ensure = async (chain: number, from: number, to = from) =>
  (await ensurePartitions(store.database, BigInt(chain), BigInt(from), BigInt(to))).map(
    ({ from, before }) => [Number(from), Number(before)],
  )

/** The bounds of a chain's partitions, each with the number of tables that have it. */
async function bounds(chain: number) {
  const rows = await store.database<{ bounds: string; tables: number }[]>`
    select pg_get_expr(relpartbound, oid) as bounds, count(*)::int as tables from pg_class
    where relispartition and relkind = 'r' and relname ~ ${`_${chain}_\\d+$`} group by 1 order by length(min(relname)), min(relname)`
  return rows.map(({ bounds, tables }) => [
    ...[...bounds.matchAll(/\('\d+', '(\d+)'\)/g)].map(([, block]) => Number(block)),
    tables,
  ])
}

const tables = partitionedTables.length

/** A chain whose only block has as many transactions and logs as given, and as many transactions before it. */
async function chainOf(
  chain: number,
  { transactions, logs, before = 0 }: { transactions: number; logs: number; before?: number },
) {
  await seedChain(store.database, { chain, blocks: [{ number: 0, ts: 1_790_000_000, txs: [] }] })
  await store.database`update blocks set tx_count = ${transactions}, log_count = ${logs}, cum_txs = ${before + transactions} where chain = ${chain}`
}

describe('partitions are sized by the rows of the newest blocks', () => {
  test('unknown ones begin small and grow', async () => {
    expect(await ensure(1, 0, 10)).toEqual([[0, 100_000]])
    await ensure(1, 99_999, 100_000)
    expect(await ensure(1, 500_000)).toEqual([[500_000, 2_100_000]])
    await ensure(1, 2_100_000, 7_100_000)
    expect(await bounds(1)).toEqual([
      [0, 100_000, tables],
      [100_000, 500_000, tables],
      [500_000, 2_100_000, tables],
      [2_100_000, 7_100_000, tables],
      [7_100_000, 12_100_000, tables],
    ])
  })

  test('a chain may begin anywhere', async () => {
    expect(await ensure(2, 254_321)).toEqual([[250_000, 350_000]])
  })

  test.each([
    ['busy', 3, { transactions: 10, logs: 90 }, 300_000],
    ['large, by a sixty-fourth of it', 7, { transactions: 10, logs: 90, before: 192_000_000 }, 400_000],
    ['busier than any', 4, { transactions: 5_000, logs: 95_000 }, 110_000],
    ['quiet', 5, { transactions: 1, logs: 0 }, 500_000],
  ])('a chain that is %s', async (_, chain, counts, before) => {
    await chainOf(chain, counts)
    expect(await ensure(chain, 100_000)).toEqual([[100_000, before]])
  })

  test('those that exist keep their bounds, and get the tables that they lack', async () => {
    const sql = store.database
    await sql`create table blocks_6_5000000 partition of blocks for values from (6, 5000000) to (6, 10000000)`
    expect(await ensure(6, 7_000_000)).toEqual([[5_000_000, 10_000_000]])
    expect(await ensure(6, 4_999_999)).toEqual([[4_990_000, 5_000_000]])
    expect(await ensure(6, 10_000_000)).toEqual([[10_000_000, 15_000_000]])
    expect(await bounds(6)).toEqual([
      [4_990_000, 5_000_000, tables],
      [5_000_000, 10_000_000, tables],
      [10_000_000, 15_000_000, tables],
    ])
  })
})

test('ranges of a lake are put together until they have the rows of a partition', () => {
  const ranges = [300, 600, 200, 1_500, 100, 100].map((rows, at) => ({
    from: at * 10_000,
    to: at * 10_000 + 9_999,
    rows,
  }))
  const parts = (...given: Parameters<typeof partsOf>) =>
    partsOf(...given).map(({ from, before }) => [Number(from), Number(before)])
  expect(parts(1n, ranges, 1_000)).toEqual([
    [0, 20_000],
    [20_000, 30_000],
    [30_000, 40_000],
    // 200 rows in 20,000 blocks: room for 1,000.
    [40_000, 140_000],
  ])
  expect(parts(1n, [{ from: 7, to: 106, rows: 20_000 }])).toEqual([[7, 100_007]])
  // A sixty-fourth of what there is, if that is more.
  const large = Array.from({ length: 640 }, (_, at) => ({ from: at, to: at, rows: 5_000_000 }))
  expect(parts(1n, large)[0]).toEqual([0, 10])
})
