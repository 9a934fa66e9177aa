import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { snapshotHeader } from '../../../contract/sql/exports.ts'
import { blockHash } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { writeLakeRange } from '../../testing/lake-files.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import {
  alice,
  bob,
  huge,
  seedSqlChain,
  sqlBlocks,
  sqlChain,
  sqlGenesis,
  sqlTransaction,
  token,
} from '../../testing/sql-chain.ts'

let testDatabase: TestDatabase
let service: TestService
let home: string

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'exports-test-'))
  vi.stubEnv('TMPDIR', home)
  testDatabase = await createTestDatabase()
  await seedSqlChain(testDatabase.database)
  const config = testConfig({ exports: { perCaller: 2 }, sql: { liveRows: 100 } })
  service = await startTestService(testDatabase.database, { config: { ...config, home } })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await service?.close()
  await testDatabase?.drop()
  vi.unstubAllEnvs()
  rmSync(home, { recursive: true, force: true })
})

/** Exports from another machine: what the lists show is open to everybody. */
async function exported(table: string, query: Record<string, string | number> = {}) {
  const answer = await service.app.inject({
    url: `/v1/exports/${table}`,
    query: {
      chainId: String(sqlChain),
      ...Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    },
    remoteAddress: '192.0.2.7',
  })
  return answer
}

async function linesOf(table: string, query: Record<string, string | number> = {}): Promise<string[]> {
  const answer = await exported(table, query)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.body.split('\n').slice(0, -1)
}

const timeOf = (number: number): string => `2026-01-01T0${number}:00:00Z`
const tsOf = (number: number): number => 1_767_225_600 + 3_600 * number
const places = sqlBlocks.flatMap(({ number, txs }) => txs.map((_, index) => `${number},${index}`))

/** The place of each transaction of a CSV: its columns after the chain. */
const placesOf = (lines: readonly string[]): string[] =>
  lines.map((line) => line.split(',').slice(1, 3).join(','))

describe('an export', () => {
  test('has the rows of the store in order, with exact amounts and times', async () => {
    const [head, ...lines] = await linesOf('token_transfers')
    expect(head).toBe(
      'chain,number,log_index,position,time,ts,tx_index,token,kind,sender,recipient,token_id,amount',
    )
    expect(lines).toEqual(
      [1, 2, 3, 4, 5].map((number) => {
        const amount = number === 5 ? huge : BigInt(number) * 1_000n
        return `${sqlChain},${number},0,0,${timeOf(number)},${tsOf(number)},0,${token},20,${alice},${bob},,${amount}`
      }),
    )
    const answer = await exported('transactions')
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="transactions-${sqlChain}-0-5.csv"`,
    )
    expect(placesOf(answer.body.split('\n').slice(1, -1))).toEqual(places)
  })

  test('of JSON lines keeps large integers as text', async () => {
    const lines = await linesOf('transactions', { format: 'jsonl', startBlock: 5 })
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows).toHaveLength(5)
    expect(rows[3]).toMatchObject({
      chain: sqlChain,
      number: 5,
      index: 3,
      time: timeOf(5),
      status: 1,
      hash: sqlTransaction(5, 3),
      sender: bob,
      recipient: token,
      created: null,
      value: '3000000000000000000',
    })
    expect(typeof rows[3]?.['nonce']).toBe('string')
  })

  test('of Parquet is one file that an engine reads', async () => {
    const answer = await exported('transactions', { format: 'parquet', endBlock: 4 })
    expect(answer.statusCode).toBe(200)
    expect(await parquetRows(answer.rawPayload, 'number, "index", value, time')).toEqual(
      places
        .map((place) => place.split(',').map(Number))
        .filter(([number = 0]) => number < 4)
        .map(([number = 0, index = 0]) => [
          String(number),
          index,
          String(BigInt(index) * 10n ** 18n),
          timeOf(number).replace('T', ' ').replace('Z', ''),
        ]),
    )
  })

  test('is not made for a HEAD', async () => {
    const url = `/v1/exports/blocks?chainId=${sqlChain}&format=jsonl`
    const answer = await service.app.inject({ method: 'HEAD', url })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/jsonl'])
    // The header comes from an export that has begun.
    expect(answer.headers[snapshotHeader]).toBeUndefined()
  })

  test('without rows has its columns, in every format', async () => {
    expect(await linesOf('contracts')).toEqual([
      'chain,number,tx_index,ordinal,time,ts,address,deployer,origin',
    ])
    expect(await linesOf('contracts', { format: 'jsonl' })).toEqual([])
    const { rawPayload } = await exported('contracts', { format: 'parquet' })
    expect(await parquetRows(rawPayload, 'count(ts)')).toEqual([['0']])
  })
})

async function parquetRows(bytes: Buffer, columns: string): Promise<unknown> {
  const file = join(home, 'export.parquet')
  writeFileSync(file, bytes)
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  try {
    return (await connection.runAndReadAll(`select ${columns} from '${file}'`)).getRowsJson()
  } finally {
    connection.closeSync()
  }
}

const filters = [
  ['heights', 'transactions', { startBlock: 3, endBlock: 5 }, (place: string) => /^[34],/.test(place)],
  [
    'times, both exclusive',
    'transactions',
    { startTimestamp: tsOf(2), endTimestamp: tsOf(4) },
    (place: string) => place.startsWith('3,'),
  ],
  ['a sender', 'transactions', { address: bob }, (place: string) => /[13]$/.test(place)],
  [
    'a recipient in capitals',
    'transactions',
    { address: `0x${token.slice(2).toUpperCase()}`, startBlock: 2 },
    (place: string) => !place.startsWith('1,'),
  ],
] as const

describe('filters', () => {
  test.each(filters)('select %s', async (_name, table, query, isWanted) => {
    expect(placesOf((await linesOf(table, query)).slice(1))).toEqual(places.filter(isWanted))
  })

  test('of transfers select a token, a kind and a party', async () => {
    const count = async (query: Record<string, string>): Promise<number> =>
      (await linesOf('token_transfers', query)).length - 1
    expect(await count({ token, ercType: 'ERC-20', address: bob })).toBe(5)
    expect(await count({ ercType: 'ERC-721' })).toBe(0)
    expect(await count({ address: token })).toBe(0)
    expect((await linesOf('logs', { address: token, topic0: `0x${'1'.repeat(64)}` })).length - 1).toBe(0)
  })

  test('that a table does not have are refused', async () => {
    const refused = await exported('blocks', { address: alice })
    expect([refused.statusCode, refused.json<{ message: unknown }>().message]).toEqual([
      400,
      ['address: blocks have no such filter'],
    ])
    expect((await exported('logs', { after: '1' })).json<{ message: unknown }>().message).toBe(
      'after: must be number,index',
    )
    expect((await exported('logs', { startBlock: 3, endBlock: 2 })).statusCode).toBe(400)
  })
})

describe('an interrupted export', () => {
  test('continues after any row without loss or double, without a heading', async () => {
    const whole = await linesOf('transactions')
    // Within a block, at the end of one, and after the last row.
    for (const key of ['3,1', '4,3', '5,4'])
      expect(await linesOf('transactions', { after: key })).toEqual(whole.slice(places.indexOf(key) + 2))
    const transfers = await linesOf('token_transfers')
    expect(await linesOf('token_transfers', { after: '3,0,0' })).toEqual(transfers.slice(4))
  })

  test('ends where it would have ended, although the chain has grown', async () => {
    const { database } = testDatabase
    const before = await exported('blocks')
    const snapshot = String(before.headers[snapshotHeader])
    expect(snapshot).toBe(`5-${blockHash(sqlChain, { number: 5 })}`)
    await database`insert into blocks select (jsonb_populate_record(b, '{"number": 6}')).* from blocks b where number = 5`
    try {
      expect(await linesOf('blocks')).toHaveLength(8)
      expect(await linesOf('blocks', { after: '3', snapshot })).toEqual(before.body.split('\n').slice(5, -1))
    } finally {
      await database`delete from blocks where number = 6`
    }
  })

  test('does not continue after a reorganisation', async () => {
    const snapshot = `5-0x${'0'.repeat(64)}`
    const refused = await exported('blocks', { after: '3', snapshot })
    expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
      409,
      'block 5 was replaced: start the export again from its beginning',
    ])
  })
})

describe('with a lake', () => {
  test('rows come from its files, and above them from the store', async () => {
    const sealed = sqlBlocks.filter(({ number }) => number <= 3)
    const whole = await linesOf('transactions')
    const rows = whole.slice(1).map((line) => line.split(','))
    const heads = whole[0]?.split(',') ?? []
    const valueOf = (row: readonly string[], name: string): string | null => row[heads.indexOf(name)] || null
    const range = {
      from: 0,
      to: 3,
      genesisHash: sqlGenesis,
      lastHash: blockHash(sqlChain, { number: 3 }),
    }
    await writeLakeRange(join(home, 'lake'), sqlChain, range, {
      blocks: sealed.map((block) => ({
        number: block.number,
        ts: block.ts,
        hash: blockHash(sqlChain, block),
      })),
      transactions: rows
        .filter((row) => Number(valueOf(row, 'number')) <= 3)
        .map((row) =>
          Object.fromEntries(
            heads
              .slice(1)
              .filter((name) => name !== 'time')
              .map((name) => [name, valueOf(row, name)]),
          ),
        ),
    })
    const { database } = testDatabase
    await database`delete from transactions where number <= 3`
    expect(await linesOf('transactions')).toEqual(whole)
    expect(placesOf(await linesOf('transactions', { after: '2,0' }))).toEqual(places.slice(2))
    expect(placesOf((await linesOf('transactions', { address: bob, endBlock: 4 })).slice(1))).toEqual([
      '2,1',
      '3,1',
    ])
    const { rawPayload } = await exported('transactions', { format: 'parquet' })
    expect(await parquetRows(rawPayload, `string_agg(number || ',' || "index", ' ')`)).toEqual([
      [places.join(' ')],
    ])
  })
})

describe('a file of the lake with several row groups', () => {
  test('is cut between blocks, and has each row once and in order', async () => {
    const file = join(home, 'lake', String(sqlChain), 'logs', '0000000000-0000000003.parquet')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    // Groups of 2,048 rows begin within blocks 1 and 2.
    await connection.run(`copy (select * replace (i // 1500 as number, i % 1500 as "index", '0x' as address, '0x' as data)
      from (select * exclude (i), row_number() over () - 1 as i
        from range(6000) r(i) left join (select * from '${file}') l on false))
      to '${file}.new' (format parquet, row_group_size 2048)`)
    const groups = await connection.runAndReadAll(
      `select count(distinct row_group_id) from parquet_metadata('${file}.new')`,
    )
    connection.closeSync()
    expect(groups.getRowsJson()).toEqual([['3']])
    renameSync(`${file}.new`, file)
    const lines = await linesOf('logs', { endBlock: 4 })
    expect(placesOf(lines.slice(1))).toEqual(
      Array.from({ length: 6_000 }, (_, i) => `${Math.floor(i / 1_500)},${i % 1_500}`),
    )
    expect(placesOf(await linesOf('logs', { endBlock: 3, after: '2,1497' }))).toEqual(['2,1498', '2,1499'])
  })
})

/** Starts an export of all logs over a connection of its own, whose answer is not read. */
function start({ app }: TestService, table = 'logs') {
  const { port } = app.server.address() as { port: number }
  const path = `/v1/exports/${table}?chainId=${sqlChain}`
  const request = httpRequest({ host: '127.0.0.1', port, path, agent: false })
  request.end()
  request.on('error', () => undefined)
  return { request, answer: once(request, 'response').then(([response]) => response as IncomingMessage) }
}

describe('exports at the same time', () => {
  beforeAll(async () => {
    // More than all buffers hold: 300 logs of 200,000 characters.
    const { database } = testDatabase
    await database`insert into logs (chain, number, index, tx_index, address, data)
      select ${sqlChain}, 5, index, 0, '\\x01', decode(repeat('ab', 100000), 'hex') from generate_series(1, 300) index`
  })

  test('are limited by caller, and end with the caller', async () => {
    const running = [start(service), start(service)]
    for (const { answer } of running) expect((await answer).statusCode).toBe(200)
    const local = async () => service.app.inject({ url: `/v1/exports/blocks?chainId=${sqlChain}` })
    const third = await local()
    expect([third.statusCode, third.headers['retry-after']]).toEqual([429, '2'])
    for (const { request } of running) request.destroy()
    await expect.poll(async () => (await local()).statusCode).toBe(200)
    const left = (): string[] => readdirSync(home).filter((name) => name.startsWith('ridgeline-export-'))
    await expect.poll(left).toEqual([])
  })

  test('end with an error for a caller that takes nothing for too long', async () => {
    const config = testConfig({ exports: { perCaller: 1, seconds: 3 } })
    const other = await startTestService(testDatabase.database, { config: { ...config, home } })
    try {
      await other.app.listen({ host: '127.0.0.1', port: 0 })
      const answer = await start(other).answer
      // Over a connection: an injected request never ends if its answer is cut off, which a loaded machine may do.
      const next = async () => {
        const asked = await start(other, 'blocks').answer
        asked.resume()
        return asked.statusCode
      }
      expect(await next()).toBe(429)
      await expect.poll(next).toBe(200)
      // The connection is closed although nobody reads what is on its way.
      const { server } = other.app
      const open = () =>
        new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
      await expect.poll(open).toBe(0)
      const read = async (): Promise<void> => {
        for await (const chunk of answer) expect(chunk).toBeDefined()
      }
      await expect(read()).rejects.toThrow('aborted')
    } finally {
      await other.close()
    }
  })

  test('of Parquet with too many rows of the store are refused', async () => {
    const refused = await exported('logs', { format: 'parquet' })
    expect(refused.statusCode).toBe(422)
    expect(refused.body).toContain('the store has more than 100 rows')
  })
})
