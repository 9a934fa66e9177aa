import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase, type Database } from '../../../store/database.ts'
import { migrate } from '../../../store/schema/migrate.ts'
import { readNameIndex } from '../../../store/network/read-search-names.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { testConfig } from '../../../testing/config.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const address = (digit: number): string => `0x${digit.toString(16).padStart(2, '0').repeat(20)}`

const config = testConfig({
  chains: [
    { evmChainId: chain, name: 'Meridian', rpcUrl: 'http://127.0.0.1:9' },
    { evmChainId: 7, name: 'Harbor', rpcUrl: 'http://127.0.0.1:9' },
  ],
  contracts: [{ chainId: chain, address: address(0x77), name: 'Ridge Vault' }],
  tokens: {
    allow: [{ chainId: chain, address: address(6) }],
    deny: [{ chainId: chain, address: address(5), reason: 'a copy' }],
  },
})

const tokens: readonly (readonly [number, string | null, string | null, string | null, number?])[] = [
  [1, 'Ridge', 'RDG', null, 10],
  [2, 'Sample Dollar', 'SUSD', null, 500],
  [3, 'Ridge', 'RDG', 'Malicious', 9_000],
  [4, 'Ridge Staked', 'sRDG', null, 3],
  [5, 'Sample Dollar', 'SUSD', null, 700],
  [6, 'Harmless Airdrop', 'AIR', 'Malicious', 2],
  [8, '100% Pure_Gold', 'P\\G', null, 1],
  [9, '日本円', 'JPY', null, 1],
  [10, 'Wrapped Glacier Token', 'WGT', null, 1],
]

async function fill(database: Database): Promise<void> {
  for (const [digit, name, symbol, reputation, holders = 0] of tokens) {
    const token = Buffer.from(address(digit).slice(2), 'hex')
    await database`insert into token_facts (chain, token, name, symbol, decimals, reputation, asked_block, asked_ts, due_ts)
      values (${chain}, ${token}, ${name}, ${symbol}, 18, ${reputation}, 1, 1, 1)`
    await database`insert into tokens (chain, token, kind, first_block) values (${chain}, ${token}, 20, 1)`
    await database`insert into token_blocks (chain, token, kind, number, supply, holders, cum_transfers)
      values (${chain}, ${token}, 20, 5, 1, ${holders}, 1)`
  }
}

/** A database of a role that may not create extensions: the schema is made without one. */
async function createWithoutExtension(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const server = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const admin = openDatabase(server, { max: 1 })
  await admin.unsafe(`create database ${name}`)
  await admin.unsafe(`create role ${name} login`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const owner = openDatabase(url.href, { max: 1 })
  await owner.unsafe(`grant all on schema public to ${name}`)
  await owner.end()
  url.username = name
  const database = openDatabase(url.href, { max: 4 })
  await migrate(database)
  return {
    database,
    async drop() {
      await database.end()
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.unsafe(`drop role ${name}`)
      await admin.end()
    },
  }
}

type Result = { kind: string; id: string; title: string; match: string; tokenReputation?: string }

describe.each(['pg_trgm', 'spellings'] as const)('by %s', (index) => {
  let database: Database
  let service: TestService
  let drop: () => Promise<void>

  beforeAll(async () => {
    const made = index === 'pg_trgm' ? await createTestDatabase() : await createWithoutExtension()
    database = made.database
    drop = () => made.drop()
    await fill(database)
    service = await startTestService(database, { config })
  })
  afterAll(async () => {
    await service.close()
    await drop()
  })

  const find = async (query: string): Promise<Result[]> => {
    const response = await service.app.inject(`/v1/search?query=${encodeURIComponent(query)}`)
    expect(response.statusCode, response.body).toBe(200)
    return (response.json() as { results: Result[] }).results
  }
  const ids = async (query: string): Promise<string[]> =>
    (await find(query)).map(({ kind, id, match }) => `${kind} ${id} ${match}`)

  test('the database has this index', async () => {
    expect(await readNameIndex(database)).toBe(index)
  })

  test('an exact name comes before its beginnings, and malicious tokens come last and are marked', async () => {
    expect(await ids('ridge')).toEqual([
      `token ${address(1)} exact`,
      `token ${address(4)} prefix`,
      `contract ${address(0x77)} prefix`,
      `token ${address(3)} exact`,
    ])
    expect((await find('ridge')).map(({ tokenReputation }) => tokenReputation)).toEqual([
      undefined,
      undefined,
      undefined,
      'Malicious',
    ])
  })

  test("the operator's lists decide over the rules", async () => {
    const [first, second] = await find('SUSD')
    expect([first?.id, first?.tokenReputation]).toEqual([address(2), undefined])
    expect([second?.id, second?.tokenReputation]).toEqual([address(5), 'Malicious'])
    expect((await find('air'))[0]?.tokenReputation).toBeUndefined()
  })

  test.each([
    ['sample dol', address(2)],
    ['dollar', address(2)],
    ['glacier', address(10)],
    ['wgt', address(10)],
    ['wrapped glacier', address(10)],
    ['日本', address(9)],
    ['100%', address(8)],
    ['pure_g', address(8)],
    ['token rdg', address(1)],
  ])('%s finds %s first', async (query, id) => {
    expect((await find(query))[0]?.id).toBe(id)
  })

  test.each([
    ['Meridain', String(chain)],
    ['Merdian', String(chain)],
    ['Smaple dollar', address(2)],
    ['Wraped', address(10)],
    ['glaicer', address(10)],
    ['glacer tokn', address(10)],
    ['wraped token', address(10)],
    ['smple dolar', address(2)],
  ])('the typing mistake %s finds %s', async (query, id) => {
    const [first] = await find(query)
    expect([first?.id, first?.match]).toEqual([id, 'similar'])
  })

  test.each(['%', '_', '%%%', 'r%e', String.raw`\\`, "'", '"', '{a,b}', '{', '$2', 'xyzzy', 'ri'])(
    '%s is text, not a pattern',
    async (query) => {
      const wanted = query.toLowerCase()
      for (const { title } of await find(query)) expect(title.toLowerCase()).toContain(wanted)
    },
  )

  // Without trigrams, words are found from their beginning on only.
  test.runIf(index === 'pg_trgm').each(['lacier', 'apped glac', 'acier token'])(
    '%s is found inside of words',
    async (query) => {
      const [first] = await find(query)
      expect([first?.id, first?.match]).toEqual([address(10), 'part'])
    },
  )

  test('a search follows what a token is called', async () => {
    const token = Buffer.from(address(0x44).slice(2), 'hex')
    const first = async (query: string): Promise<string | undefined> => (await find(query))[0]?.id
    await database`insert into token_facts (chain, token, asked_block, asked_ts, due_ts)
      values (${chain}, ${token}, 1, 1, 1)`
    expect(await first('heron otter')).toBeUndefined()
    await database`update token_facts set name = 'Quiet Heron Otter', symbol = 'QHO' where token = ${token}`
    expect([await first('heron otter'), await first('hreon')]).toEqual([address(0x44), address(0x44)])
    const rows = () => database`select xmin::text, tail from name_tails where token = ${token} order by tail`
    const before = await rows()
    expect(before.map(({ tail }) => tail as unknown)).toEqual(['heron otter', 'otter'])
    // Read again with the same answers: nothing is written.
    await database`update token_facts set name = 'Quiet Heron Otter', asked_ts = 2, due_ts = 9 where token = ${token}`
    expect(await rows()).toEqual(before)
    await database`update token_facts set name = 'Quiet Badger' where token = ${token}`
    expect([await first('heron otter'), await first('badger')]).toEqual([undefined, address(0x44)])
    await database`delete from token_facts where token = ${token}`
    expect(await first('badger')).toBeUndefined()
    expect(await rows()).toEqual([])
  })

  test('impostors do not hide the original, whichever word is searched', async () => {
    await database.begin(async (sql) => {
      // All of them come before the original in the order of the index.
      await sql`insert into token_facts (chain, token, name, symbol, reputation, asked_block, asked_ts, due_ts)
        select ${chain}, substring(sha256(int8send(n)) from 1 for 20), 'Aaa Lantern Compass', 'LC', 'Malicious', 1, 1, 1
        from generate_series(1, 300) n`
      await sql`insert into token_facts (chain, token, name, symbol, asked_block, asked_ts, due_ts)
        values (${chain}, ${Buffer.alloc(20, 0xff)}, 'Wise Lantern Compass Rose', 'WLCR', 1, 1, 1)`
    })
    for (const query of ['lantern', 'compass', 'lantern comp', 'lantren', 'lantern compss'])
      expect((await find(query))[0]?.id, query).toBe(`0x${'ff'.repeat(20)}`)
    await database`delete from token_facts where name like '%Lantern Compass%'`
    expect(await database`select from name_tails where tail like 'lantern%'`).toHaveLength(0)
  })

  test('no statement of a search reads a whole table', async () => {
    const scans = async (): Promise<unknown> => {
      // Each connection counts for itself, and tells the server later unless it is asked to.
      const connections = await Promise.all(
        Array.from({ length: database.options.max }, () => database.reserve()),
      )
      for (const connection of connections) {
        await connection`select pg_stat_force_next_flush()`
        connection.release()
      }
      return database`select relname, seq_scan from pg_stat_all_tables
        where relname in ('token_facts', 'name_tails', 'name_words') order by relname`
    }
    const before = await scans()
    for (const query of ['ridge', 'sample dol', 'lacier', 'wraped', 'wraped token', '0x0101010101', 'rid'])
      await find(query)
    expect(await scans()).toEqual(before)
  })
})

test('a token is found by its address and by the beginning of one, under its name', async () => {
  const store = await createTestDatabase()
  await fill(store.database)
  // The same address is also active, under another key, on another chain.
  await store.database`insert into seen (chain, role, address, hour_ts, first_block)
    values (7, 0, ${Buffer.from(address(2).slice(2), 'hex')}, 0, 1)`
  const service = await startTestService(store.database, { config })
  const find = async (query: string): Promise<string[]> =>
    ((await service.app.inject(`/v1/search?query=${query}`)).json() as { results: Result[] }).results.map(
      ({ kind, id, title, match }) => `${kind} ${id} ${title} ${match}`,
    )
  expect(await find(address(2))).toEqual([`token ${address(2)} Sample Dollar exact`])
  for (const beginning of ['0x020202', '0x0202020'])
    expect(await find(beginning)).toEqual([
      `token ${address(2)} Sample Dollar prefix`,
      `address ${address(2)} ${address(2)} prefix`,
    ])
  expect(await find('0x02020')).toEqual([])
  expect(await find('0x020203')).toEqual([])
  await service.close()
  await store.drop()
})
