import { readFileSync } from 'node:fs'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqlExamples } from '../../contract/sql/examples.ts'
import { eventMacros, eventTables } from './events.ts'
import { primaryStoredTables } from './primary-stored-tables.ts'
import { primaryTables } from './primary-tables.ts'
import { storeTables } from './store-tables.ts'
import { shownTables, sharedColumns, viewOf } from './tables.ts'

const abi = parseAbi([
  'event Odd(address indexed from, string name, int256 delta, bytes blob, bytes4 tag, bool ok, uint64 n, string indexed hashed)',
  'event tokenURIChanged(uint256 time)',
])
const odd = abi[0]
const [fixed] = parseAbi([
  'struct Pair { uint128 a; uint128 b; }',
  'event Behind(uint256[3] list, Pair pair, string[2] texts, uint64 last)',
])
const events = eventTables([{ name: 'My ABI', items: abi }])
const number = `0x${'ff'.repeat(32)}`
let engine: DuckDBConnection

beforeAll(async () => {
  engine = await (await DuckDBInstance.create(':memory:')).connect()
  const columnsOf = (columns: readonly { name: string; type: string }[]): string =>
    columns.map(({ name, type }) => `"${name}" ${type}`).join(', ')
  for (const table of shownTables) {
    await engine.run(`create table live_${table} (chain BIGINT, ${columnsOf(sharedColumns(table))})`)
    await engine.run(viewOf(table, [], `live_${table}`))
  }
  for (const { name, columns } of [...primaryTables, ...primaryStoredTables, ...storeTables])
    await engine.run(`create table ${name} (${columnsOf(columns)})`)
  for (const statement of [...eventMacros, ...events.map(({ view }) => view)]) await engine.run(statement)
})
afterAll(() => engine?.closeSync())

const rowsOf = async (sql: string): Promise<unknown[]> =>
  (await engine.runAndReadAll(sql)).getRowObjectsJson()

async function insertLog(topics: readonly unknown[], data: string): Promise<void> {
  const [t0, t1, t2, t3] = Array.from({ length: 4 }, (_, place) =>
    topics[place] ? `'${String(topics[place])}'` : 'null',
  )
  await engine.run(
    `insert into live_logs values (1, 2, 3, 4, 5, '0xc0', ${t0}, ${t1}, ${t2}, ${t3}, '${data}')`,
  )
}

describe('events as tables', () => {
  test('decode what another encoder wrote, of every kind of argument', async () => {
    const from = '0x00000000000000000000000000000000000000aa'
    const topics = encodeEventTopics({ abi: [odd], eventName: 'Odd', args: { from, hashed: 'h' } })
    const types = odd.inputs.filter((input) => !('indexed' in input && input.indexed))
    const data = encodeAbiParameters(types, ['héllo', -5n, '0xdeadbeef', '0x01020304', true, 77n])
    await insertLog(topics, data)
    expect(
      await rowsOf('select * exclude (chain, number, time, tx_index, log_index) from my_abi_odd'),
    ).toEqual([
      {
        contract: '0xc0',
        from_address: from,
        name: 'héllo',
        delta: '-5',
        delta_word: `0x${'f'.repeat(63)}b`,
        blob: '0xdeadbeef',
        tag: '0x01020304',
        ok: true,
        n: '77',
        hashed: topics[2],
      },
    ])
  })

  test('keep a number that 128 bits do not hold', async () => {
    const topics = encodeEventTopics({ abi: [abi[1]], eventName: 'tokenURIChanged' })
    await insertLog(topics, number)
    await insertLog(topics, `0x${(2n ** 127n - 1n).toString(16).padStart(64, '0')}`)
    expect(
      await rowsOf('select time_value, time_value_word from my_abi_token_uri_changed order by 1 nulls first'),
    ).toEqual([
      { time_value: null, time_value_word: number },
      {
        time_value: String(2n ** 127n - 1n),
        time_value_word: `0x${(2n ** 127n - 1n).toString(16).padStart(64, '0')}`,
      },
    ])
  })

  test('find an argument behind lists and structs of a fixed length', async () => {
    const [table] = eventTables([{ name: 'Fixed', items: [fixed] }]).slice(-1)
    await engine.run(table?.view ?? '')
    const topics = encodeEventTopics({ abi: [fixed], eventName: 'Behind' })
    const data = encodeAbiParameters(fixed.inputs, [[1n, 2n, 3n], { a: 4n, b: 5n }, ['x', 'y'], 6n])
    await insertLog(topics, data)
    expect(await rowsOf('select last from fixed_behind')).toEqual([{ last: '6' }])
  })

  test('of contracts of one name are one table where they are alike, over these contracts', () => {
    const items = parseAbi(['event Filled(uint256 level)'])
    const other = parseAbi(['event Filled(uint256 indexed level)'])
    const tables = eventTables(
      [
        { name: 'Tank', items, edition: 'a' },
        { name: 'Tank', items, edition: 'b' },
        { name: 'Tank', items: other, edition: 'c' },
        { name: 'Live', items: parseAbi(['event Logs(uint256 id, uint256 ID)']), edition: 'd' },
      ],
      new Set(['live_logs']),
    ).slice(-3)
    expect(tables.map(({ name, contracts }) => [name, contracts?.name, contracts?.editions])).toEqual([
      ['tank_filled', 'Tank', ['a', 'b']],
      ['tank_filled_2', 'Tank', ['c']],
      ['live_logs_2', 'Live', ['d']],
    ])
    expect(tables[2]?.columns.map(({ name }) => name).slice(-4)).toEqual([
      'id',
      'id_word',
      'id_2',
      'id_2_word',
    ])
  })

  test('have the columns that their description says', async () => {
    for (const { name, columns } of events) {
      const described = (await rowsOf(`describe ${name}`)) as { column_name: string; column_type: string }[]
      expect(described.map((each) => `${each.column_name} ${each.column_type}`)).toEqual(
        columns.map((column) => `${column.name} ${column.type}`),
      )
    }
  })
})

describe('the twenty questions', () => {
  const page = readFileSync(new URL('../../docs/sql.md', import.meta.url), 'utf8')

  test('are twenty', () => {
    expect(sqlExamples).toHaveLength(20)
  })

  test.each(sqlExamples)('$question', async ({ question, sql }) => {
    await rowsOf(sql)
    expect(page).toContain(question)
    expect(page).toContain(sql)
  })
})
