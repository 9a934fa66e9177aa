import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { RecordBatchReader, tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { metricSql } from '../../../contract/sql/metric-sql.ts'
import { listSqlTables, runSql } from '../../../contract/sql/sql.ts'
import { Retention } from '../../maintenance/retention.ts'
import { readSealedBelow } from '../../sql/coverage.ts'
import { blockHash } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { writeLakeRange } from '../../testing/lake-files.ts'
import { asOperator, testConfig, testToken } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import {
  alice,
  bob,
  huge,
  seedSqlChain,
  sqlBlocks,
  sqlChain,
  sqlGenesis,
  token,
} from '../../testing/sql-chain.ts'

let testDatabase: TestDatabase
let service: TestService
let home: string
const key = 'a-key-for-sql-0123456789'
const seconds = 30

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'sql-test-'))
  vi.stubEnv('TMPDIR', home)
  testDatabase = await createTestDatabase()
  await seedSqlChain(testDatabase.database)
  const config = testConfig({
    sql: { seconds, memoryMegabytes: 128, rows: 50_000, perCaller: 2, liveRows: 100 },
    apiKeys: [
      { name: 'analyst', key, privileges: ['sql'] },
      { name: 'other', key: 'a-key-without-privilege-01234' },
    ],
  })
  service = await startTestService(testDatabase.database, { config: { ...config, home } })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await service?.close()
  await testDatabase?.drop()
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

type Asked = { readonly headers?: Record<string, string>; readonly from?: string; readonly more?: object }

async function ask(sql: string, { headers = {}, from = '127.0.0.1', more = {} }: Asked = {}) {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/sql',
    remoteAddress: from,
    headers: { ...asOperator, ...headers },
    payload: { sql, ...more },
  })
  return { status: answer.statusCode, type: answer.headers['content-type'], answer }
}

async function resultOf(sql: string, more: object = {}) {
  const { status, answer } = await ask(sql, { more })
  expect(status, answer.body).toBe(200)
  return runSql.response.parse(answer.json())
}
const rowsOf = async (sql: string): Promise<unknown[][]> => (await resultOf(sql)).rows

async function refusalOf(sql: string, more: object = {}): Promise<string> {
  const { status, answer } = await ask(sql, { more })
  return `${status} ${answer.json<{ message: string }>().message}`
}

const counts = `select (select count(*) from blocks), (select count(*) from transactions),
  (select sum(value) from transactions where status = 1), (select count(*) from token_transfers),
  (select string_agg(amount_text, ' ' order by number) from token_transfers), (select max(time) from blocks)`
// 0 + 1 + … + 5 transactions; values 0 to n - 1 in block n, without the failed one of 4.
const expected = [
  '6',
  '15',
  '16000000000000000000',
  '5',
  `1000 2000 3000 4000 ${huge}`,
  '2026-01-01 05:00:00',
]

describe('tables', () => {
  test('hold the rows of the store, with times and exact amounts', async () => {
    expect(await rowsOf(counts)).toEqual([expected])
    expect(
      await rowsOf(`select chain, sender, sum(value) from transactions
        where status = 1 and number = 5 group by all order by 3`),
    ).toEqual([
      [String(sqlChain), alice, '2000000000000000000'],
      [String(sqlChain), bob, '4000000000000000000'],
    ])
    expect(
      await rowsOf('select * exclude (ts, tx_index) from token_transfers where number >= 4 order by number'),
    ).toEqual([
      [String(sqlChain), '4', 0, 0, '2026-01-01 04:00:00', token, 20, alice, bob, null, '4000', '4000'],
      [String(sqlChain), '5', 0, 0, '2026-01-01 05:00:00', token, 20, alice, bob, null, null, String(huge)],
    ])
  })

  test('are described as they are', async () => {
    const answer = await service.app.inject({ url: '/v1/sql/tables', headers: asOperator })
    const { tables, sources, limits } = listSqlTables.response.parse(answer.json())
    expect(sources).toEqual([{ chain: String(sqlChain), liveFrom: 0 }])
    expect(limits).toEqual({ rows: 50_000, seconds, memoryMegabytes: 128, liveRows: 100 })
    const all = tables.map(({ name }) => `select * from (describe ${name})`).join(' union all ')
    const described = (await rowsOf(all)).map(([name, type]) => `${String(name)} ${String(type)}`)
    expect(described).toEqual(
      tables.flatMap(({ columns }) =>
        columns.map(({ name, type }) => `${name} ${type.replace('(20, 0)', '(20,0)')}`),
      ),
    )
  })
})

test('metrics counted from the rows equal the table of metrics', async () => {
  for (const metric of ['gasUsed', 'activeSenders'] as const) {
    const sql = metricSql(metric, String(sqlChain), 'day') ?? ''
    const both = await rowsOf(`with counted as (${sql})
      select counted.day::date::varchar, counted.value::double, metrics.value
      from counted full join metrics on metrics.day = counted.day where metrics.metric = '${metric}'`)
    expect(both).toHaveLength(1)
    expect(both[0]?.[0]).toBe('2026-01-01')
    expect(both[0]?.[1], metric).toBe(both[0]?.[2])
  }
})

describe('an answer', () => {
  test('says when it is cut at the limit, the caller’s or the service’s', async () => {
    const cut = await resultOf('select * from range(3)', { rowLimit: 2 })
    expect([cut.rows, cut.rowCount, cut.isTruncated]).toEqual([[['0'], ['1']], 2, true])
    const whole = await resultOf('select * from range(2)', { rowLimit: 2 })
    expect([whole.rowCount, whole.isTruncated]).toEqual([2, false])
    const max = await resultOf('select * from range(60000)', { rowLimit: 55_000 })
    expect([max.rows.length, max.isTruncated]).toEqual([50_000, true])
  })

  test('keeps every digit, and null apart from nothing', async () => {
    const sql = `select 9007199254740993 a, 1.5::double b, null c, '' d, true e, [1, 2] f, 'x"y,z' g, 'nan'::double h`
    const { rows, columns } = await resultOf(sql)
    expect(rows).toEqual([['9007199254740993', 1.5, null, '', true, [1, 2], 'x"y,z', 'NaN']])
    expect(columns[0]).toEqual({ name: 'a', type: 'BIGINT' })
    const csv = await ask(sql, { more: { format: 'csv' } })
    expect(csv.type).toBe('text/csv; charset=utf-8')
    expect(csv.answer.body).toBe('a,b,c,d,e,f,g,h\r\n9007199254740993,1.5,,"",true,"[1,2]","x""y,z",NaN\r\n')
  })

  test('is a Parquet file that an engine reads', async () => {
    const { type, answer } = await ask('select number, hash from blocks order by number desc', {
      more: { format: 'parquet', rowLimit: 4 },
    })
    expect(type).toBe('application/vnd.apache.parquet')
    const file = join(home, 'answer.parquet')
    writeFileSync(file, answer.rawPayload)
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const rows = await connection.runAndReadAll(`select * from '${file}'`)
    expect(rows.getRowsJson()).toEqual(
      [5, 4, 3, 2].map((number) => [`${number}`, blockHash(sqlChain, { number })]),
    )
    connection.closeSync()
  })

  test('is a stream of Arrow with the types and values of the columns', async () => {
    const sql = `select 255::utinyint a, 9007199254740993 b, ${2n ** 127n - 1n}::hugeint c, -1.50::decimal(9, 2) d,
        'nan'::double e, true f, 'é' g, unhex('00FF') h, date '2026-01-02' i, timestamp '2026-01-02 03:04:05.678901' j,
        timestamptz '1969-12-31 23:59:59Z' k, time '01:02:03.000004' l, [1, null, 3] m,
        {'x': 'y', 'z': [{'w': 1::bigint}]} n, map {'k': 2} o, '${huge}'::bignum p,
        uuid '00000000-0000-0000-0000-000000000001' q, interval 1 month r
      union all by name select -1::hugeint c`
    const { type, answer } = await ask(sql, { more: { format: 'arrow' } })
    expect([type, answer.statusCode]).toEqual(['application/vnd.apache.arrow.stream', 200])
    const table = tableFromIPC(answer.rawPayload)
    const shown = table.schema.fields.map(({ name, type: kind }) => {
      const values = [...(table.getChild(name) ?? [])] as unknown[]
      return [name, kind, ...values].map(String).join(' | ')
    })
    // The library shows times in milliseconds, decimals without their point, and a null in a list as nothing.
    expect(shown).toEqual([
      'a | Uint8 | 255 | null',
      'b | Int64 | 9007199254740993 | null',
      'c | Decimal[38e0] | 170141183460469231731687303715884105727 | -1',
      'd | Decimal[9e+2] | -150 | null',
      'e | Float64 | NaN | null',
      'f | Bool | true | null',
      'g | Utf8 | é | null',
      'h | Binary | 0,255 | null',
      'i | Date32<DAY> | 1767312000000 | null',
      'j | Timestamp<MICROSECOND> | 1767323045678.901 | null',
      'k | Timestamp<MICROSECOND, UTC> | -1000 | null',
      'l | Time64<MICROSECOND> | 3723000004 | null',
      'm | List<Int32> | [1,,3] | null',
      'n | Struct<{x:Utf8, z:List<Struct<{w:Int64}>>}> | {"x": "y", "z": [{"w":"1"}]} | null',
      'o | List<Struct<{key:Utf8, value:Int32}>> | [{"key": "k", "value": 2}] | null',
      `p | Utf8 | ${huge} | null`,
      'q | Utf8 | 00000000-0000-0000-0000-000000000001 | null',
      'r | Utf8 | {"months":1,"days":0,"micros":"0"} | null',
    ])
  })

  test('has the same rows in Arrow as in JSON', async () => {
    const sql = 'select * exclude (time) from token_transfers order by number'
    const { answer } = await ask(sql, { more: { format: 'arrow' } })
    const table = tableFromIPC(answer.rawPayload)
    const { columns, rows } = await resultOf(sql)
    expect(rows.length).toBe(5)
    expect(table.schema.names).toEqual(columns.map(({ name }) => name))
    const values = table.schema.names.map((name) => [...(table.getChild(name) ?? [])].map(String))
    expect(rows.map((row) => row.map(String))).toEqual(
      rows.map((_, place) => values.map((column) => column[place])),
    )
  })

  test('comes in batches of Arrow, up to the limit, and has a schema without rows', async () => {
    const cut = await ask('select range n from range(9000)', { more: { format: 'arrow', rowLimit: 5_000 } })
    const batches = [...RecordBatchReader.from(cut.answer.rawPayload)]
    expect(batches.length).toBeGreaterThan(1)
    const numbers = batches.flatMap((batch) => [...(batch.getChild('n') as Iterable<bigint>)])
    expect(numbers).toEqual(Array.from({ length: 5_000 }, (_, place) => BigInt(place)))
    const none = await ask('select number, hash from blocks where false', { more: { format: 'arrow' } })
    const { schema, numRows } = tableFromIPC(none.answer.rawPayload)
    expect([schema.names, numRows]).toEqual([['number', 'hash'], 0])
  })
})

describe('who may ask', () => {
  // server/http/access.test.ts has all callers.
  test('whoever proves it, from anywhere with a key', async () => {
    const sql = 'select 1'
    const away = { from: '192.0.2.7' }
    expect((await ask(sql)).status).toBe(200)
    expect((await ask(sql, { headers: { 'x-ridgeline-token': '' } })).status).toBe(401)
    const other = { 'x-service-api-key': 'a-key-without-privilege-01234', 'x-ridgeline-token': '' }
    expect((await ask(sql, { ...away, headers: other })).status).toBe(403)
    expect((await ask(sql, { ...away, headers: { 'x-service-api-key': key } })).status).toBe(200)
  })

  test('everybody where it is public, within limits of their own', async () => {
    const publicLimits = { seconds: 2, memoryMegabytes: 64, rows: 3, perCaller: 1 }
    const file = { sql: { public: true, seconds, memoryMegabytes: 128, rows: 50_000, publicLimits } }
    const open = await startTestService(testDatabase.database, { config: { ...testConfig(file), home } })
    const answer = async (sql: string, headers = {}) => {
      const { body } = await open.app.inject({
        method: 'POST',
        url: '/v1/sql',
        headers,
        payload: { sql, rowLimit: 10 },
      })
      return JSON.parse(body) as { rowCount?: number; isTruncated?: boolean; message?: string }
    }
    const limits = async (headers = {}) => {
      const { body } = await open.app.inject({ url: '/v1/sql/tables', headers })
      return (JSON.parse(body) as { limits: object }).limits
    }
    try {
      expect(await answer('select * from range(5)')).toMatchObject({ rowCount: 3, isTruncated: true })
      expect(await answer('select * from range(5)', asOperator)).toMatchObject({
        rowCount: 5,
        isTruncated: false,
      })
      expect((await answer('select count(*) from range(1000000000000) a, range(1000000) b')).message).toMatch(
        /ran for more than 2 s/,
      )
      expect(await limits()).toMatchObject({ seconds: 2, memoryMegabytes: 64, rows: 3 })
      expect(await limits(asOperator)).toMatchObject({ seconds, memoryMegabytes: 128, rows: 50_000 })
    } finally {
      await open.close()
    }
  })
})

describe('a statement that fails', () => {
  test('is answered with what DuckDB says', async () => {
    expect(await refusalOf('selec 1')).toContain('400 Parser Error: syntax error at or near "selec"')
    expect(await refusalOf('select nmber from blocks')).toContain('Candidate bindings: "number"')
    expect(await refusalOf("from read_text('/etc/passwd')")).toContain('400 read_text() is not available')
    expect(await refusalOf("select $1, 'x'::int")).toMatch(/^400 .*(parameters|Conversion Error)/)
    expect(await refusalOf('x'.repeat(20_001))).toContain('400 sql:')
  })

  // server/sql/hostile.test.ts has the statements that are refused; these run, and want too much.
  test.each([
    'select count(*) from range(1000000000000) a, range(1000000) b',
    'with recursive t as (select 1 n union all select n + 1 from t) select count(*) from t',
    'select array_agg(a.range) from range(1000000000) a',
    "select repeat('x', 100000000) from range(100000)",
    "select max(s) from (select repeat('x', 1000000000) || range s from range(100))",
  ])('because it wants too much ends at a limit: %s', async (sql) => {
    expect(await refusalOf(sql, { timeLimit: 2 })).toMatch(/^422 the statement (ran for|needs) more than/)
  })

  test('leaves the service as it was', async () => {
    expect(await rowsOf('select 42')).toEqual([[42]])
  })

  test('leaves no files', async () => {
    const left = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('ridgeline-sql-'))
    await expect.poll(left).toEqual([])
  })
})

describe('an answer that breaks off after its first rows', () => {
  // More rows than all buffers hold come before the one that fails.
  const numbers = Array.from({ length: 100 }, (_, place) => `range + ${place} as n${place}`).join(', ')
  const sql = `select ${numbers}, case when range = 45000 then error('broken at ' || range) else 1 end as last
    from range(50000)`

  /** What a client gets, byte by byte, and whether its connection is reset. */
  async function exchange(version: string, body: object, more = '') {
    const { port } = service.app.server.address() as { port: number }
    const text = JSON.stringify({ sql, ...body })
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST /v1/sql HTTP/${version}\r\nhost: localhost\r\nx-ridgeline-token: ${testToken}\r\nconnection: close\r\n` +
        'content-type: application/json\r\n' +
        `${more}content-length: ${text.length}\r\n\r\n${text}`,
    )
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      socket.once('error', resolve)
      socket.once('close', () => resolve(undefined))
    })
    return { code: error?.code, text: Buffer.concat(chunks).toString() }
  }

  test.each([
    ['1.1', ''],
    ['1.1', 'accept-encoding: gzip\r\n'],
    ['1.0', ''],
  ])('resets its connection, in HTTP/%s %s', async (version, more) => {
    for (const format of ['csv', 'arrow']) {
      const { code, text } = await exchange(version, { format }, more)
      expect(text.slice(0, 1_000)).toMatch(/^HTTP\/1.1 200 OK/)
      expect(code, format).toBe('ECONNRESET')
    }
  })

  test('says why in JSON', async () => {
    const { code, text } = await exchange('1.0', {})
    expect(code).toBeUndefined()
    const answer = runSql.response.parse(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))))
    expect([answer.isTruncated, answer.rows.length]).toEqual([true, answer.rowCount])
    expect(answer.failure).toBe('Invalid Input Error: broken at 45000')
  })
})

describe('statements at the same time', () => {
  /** Sends a statement over a connection of its own, whose answer is too long for all buffers and is not read. */
  function start(): { answer: Promise<IncomingMessage>; leave: () => void } {
    const { port } = service.app.server.address() as { port: number }
    const headers = { 'content-type': 'application/json', ...asOperator }
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      path: '/v1/sql',
      method: 'POST',
      agent: false,
      headers,
    })
    request.end(JSON.stringify({ sql: "select repeat('x', 2000) from range(1000000)" }))
    request.on('error', () => undefined)
    const answer = once(request, 'response').then(([response]) => response as IncomingMessage)
    return { answer, leave: () => request.destroy() }
  }

  test('are limited by caller, and end with the caller', async () => {
    const running = [start(), start()]
    for (const { answer } of running) expect((await answer).statusCode).toBe(200)
    const third = await ask('select 42')
    expect([third.status, third.answer.headers['retry-after']]).toEqual([429, '2'])
    for (const { leave } of running) leave()
    await expect.poll(async () => (await ask('select 42')).status).toBe(200)
  })
})

describe('with a lake', () => {
  const lastSealed = 3

  test('rows come from the files, and above them from the store', async () => {
    const sealed = sqlBlocks.filter(({ number }) => number <= lastSealed)
    const range = {
      from: 0,
      to: lastSealed,
      genesisHash: sqlGenesis,
      lastHash: blockHash(sqlChain, { number: lastSealed }),
    }
    await writeLakeRange(join(home, 'lake'), sqlChain, range, {
      blocks: sealed.map((block) => ({
        number: block.number,
        ts: block.ts,
        hash: blockHash(sqlChain, block),
      })),
      transactions: sealed.flatMap(({ number, ts, txs }) =>
        txs.map(({ from, value }, index) => ({
          number,
          ts,
          index,
          status: 1,
          sender: from,
          value: String(value),
        })),
      ),
      token_transfers: sealed
        .filter(({ number }) => number > 0)
        .map(({ number, ts }) => ({ number, ts, log_index: 0, position: 0, amount: String(number * 1_000) })),
    })
    // What is sealed must not come from the store.
    const { database } = testDatabase
    await database`delete from transactions where number <= ${lastSealed}`
    expect(await rowsOf(counts)).toEqual([expected])
    const answer = await service.app.inject({ url: '/v1/sql/tables', headers: asOperator })
    expect(answer.json<{ sources: unknown }>().sources).toEqual([
      { chain: String(sqlChain), lakeFrom: 0, lakeTo: lastSealed, liveFrom: lastSealed + 1 },
    ])
  })

  test('no row is lacking that the store drops, because it drops what the files have', async () => {
    const { database } = testDatabase
    await database`update chains set finalized_block = 5 where chain = ${sqlChain}`
    const chain = { evmChainId: sqlChain, startBlock: 0, keepLogs: 0, keepTraces: undefined }
    const sealedBelow = () => readSealedBelow(database, join(home, 'lake'), chain)
    const { signal } = new AbortController()
    await new Retention({ database, chain, sealedBelow, signal }).round()
    expect(await database`select number from logs order by number`).toEqual([{ number: 4n }, { number: 5n }])
    const { rows, notKept } = await resultOf(counts)
    expect({ rows, notKept }).toEqual({ rows: [expected], notKept: undefined })
  })

  test('no other file of its folder is read, whatever a statement names', async () => {
    const paths = [
      join(home, 'lake', 'secret.csv'),
      join(home, 'lake', String(sqlChain), 'blocks', 'secret.csv'),
    ]
    for (const path of paths) writeFileSync(path, 'secret\n42\n')
    for (const path of [...paths, 'duckdb_views']) {
      const sql = `select v.* from (with "${path}" as (select 1 a) select 1 a) z, "${path}" v, blocks b`
      expect(await refusalOf(sql), sql).toMatch(/^400 there is no table/)
    }
    expect(await refusalOf(`select 1; import database '${home}'`)).toMatch(/^400 only SELECT/)
    for (const path of paths) rmSync(path)
  })

  test('of another chain with the same id, only the store is read', async () => {
    const { database } = testDatabase
    await database`update chains set genesis_hash = '\\x00'`
    expect((await rowsOf('select count(*) from transactions'))[0]).toEqual(['9'])
  })
})

test('too many rows of the store are an error, not a part of them', async () => {
  const { database } = testDatabase
  await database`insert into contracts (chain, number, tx_index, ordinal, address, deployer, origin)
    select ${sqlChain}, 5, 0, ordinal, '\\x01', '\\x02', '\\x03' from generate_series(1, 101) ordinal`
  expect(await refusalOf('select count(*) from contracts')).toMatch(
    /^422 the store has more than 100 rows of contracts/,
  )
})
