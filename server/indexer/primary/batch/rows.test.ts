import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { Rows } from './rows.ts'
import { markSpent } from './spends.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

afterAll(() => testDatabase.drop())

describe('rows of COPY', () => {
  test('are read by the database as the values that they were made from', async () => {
    const columns = {
      place: 'integer',
      small: 'smallint',
      whole: 'bigint',
      part: 'numeric',
      amount: 'numeric',
      bytes: 'bytea',
      list: 'bytea[]',
      word: 'text',
      flag: 'boolean',
    } as const
    const bytes = Uint8Array.of(0, 92, 255)
    const long = new Uint8Array(200_000).fill(7)
    const numerics = [
      0n,
      9n,
      10_000n,
      123_456_789n,
      10n ** 12n,
      10n ** 24n + 1n,
      2n ** 64n - 1n,
      -(10n ** 16n),
    ]
    const wholes = [
      0,
      -1,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 53 - 1,
      -(2 ** 53) + 1,
      2n ** 63n - 1n,
      4_294_967_295,
    ]
    const parts = [0.5, 91.1139, 100, 0.0001, 99.9999, -12_345.678_901, 0.000_012, 123_456_789.5]
    const rows = new Rows(columns)
    for (const [place, amount] of numerics.entries())
      rows.add([
        place,
        -place,
        wholes[place],
        parts[place] ?? null,
        amount,
        bytes,
        [bytes, long],
        'tab\t\0é',
        place % 2 === 0,
      ])
    rows.add([numerics.length, null, undefined, null, null, null, [], null, null])
    const sql = testDatabase.database
    await sql`create table copied (
      place integer, small smallint, whole bigint, part numeric, amount numeric, bytes bytea, list bytea[],
      word text, flag boolean)`
    await sql.begin((own) => rows.copy(own, 'copied'))
    const found = await sql`
      select place, small, whole::text, part::text, amount::text, bytes, list[1] as first, length(list[2]) as long,
        cardinality(list) as items, word, flag from copied order by place`
    expect(found).toEqual([
      ...numerics.map((amount, place) => ({
        place,
        small: place === 0 ? 0 : -place,
        whole: String(wholes[place]),
        part: String(parts[place]),
        amount: String(amount),
        bytes: Buffer.from(bytes),
        first: Buffer.from(bytes),
        long: long.length,
        items: 2,
        word: 'tab\t\uFFFDé',
        flag: place % 2 === 0,
      })),
      {
        place: numerics.length,
        small: null,
        whole: null,
        part: null,
        amount: null,
        bytes: null,
        first: null,
        long: null,
        items: 0,
        word: null,
        flag: null,
      },
    ])
  })

  test('refuse values that a column cannot contain', () => {
    const rows = new Rows({ small: 'smallint', whole: 'bigint', word: 'text' } as const)
    expect(() => rows.add([32_768, 0, ''])).toThrow(RangeError)
    expect(() => rows.add([0, 2n ** 63n, ''])).toThrow(RangeError)
    expect(() => rows.add([0, 0, new Uint8Array(1)])).toThrow('text')
    expect(() => rows.add([0, 0])).toThrow('2 cells for 3 columns')
  })
})

describe('spends', () => {
  test('are found once each, among many UTXOs, with their owners', async () => {
    const sql = testDatabase.database
    await sql`
      insert into utxos (chain, height, tx_index, output_index, ts, tx_id, utxo_id, home, asset, amount, type,
        threshold, locktime, owner)
      select 11, n, 0, 0, n, int8send(n), int8send(n), 11, 'a', 1, 7, 1, 0, int4send(n::int)
      from generate_series(1::bigint, 3000) n`
    const spendOf = (n: number) => ({
      chain: 11,
      height: 9_000,
      index: 1,
      input: n,
      ts: 5,
      txId: Uint8Array.of(1),
    })
    const idOf = (n: number): Buffer => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64BE(BigInt(n))
      return bytes
    }
    const owners = await sql.begin(async (own) => {
      const spends = [7, 2_000, 5_000].map((n) => ({ utxoId: idOf(n), spend: spendOf(n) }))
      const found = await markSpent(own as unknown as typeof sql, 11, spends)
      // A spent UTXO is not found a second time, and positions of an earlier list do not remain.
      const again = await markSpent(own as unknown as typeof sql, 11, [
        { utxoId: idOf(7), spend: spendOf(1) },
      ])
      return [[...found].sort(([a], [b]) => a - b), again.size]
    })
    expect(owners).toEqual([
      [
        [0, ['00000007']],
        [1, ['000007d0']],
      ],
      0,
    ])
    const spent = await sql`
      select height::int, spent_height::int, spent_input from utxos where spent_height is not null order by height`
    expect(spent).toEqual([
      { height: 7, spent_height: 9_000, spent_input: 7 },
      { height: 2_000, spent_height: 9_000, spent_input: 2_000 },
    ])
  })
})
