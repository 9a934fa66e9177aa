import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleDisk, sampleWhenDue } from '../../maintenance/disk-samples.ts'
import { ensurePartitions } from '../../store/partitions.ts'
import { seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const day = 86_400
const [one, other] = [43113, 43114]
let store: TestDatabase
let service: TestService
const chains = [
  { evmChainId: one, name: 'One', rpcUrl: 'http://127.0.0.1:9' },
  { evmChainId: other, name: 'Other', rpcUrl: 'http://127.0.0.1:9' },
]

type Answer = {
  bytes: string
  growthPerDay?: string
  sampledSince?: number
  freeBytes?: string
  fullTimestamp?: number
  parts: {
    name: string
    chainId?: string
    bytes: string
    growthPerDay?: string
    tables: { name: string; bytes: string }[]
  }[]
}
async function ask(): Promise<Answer> {
  // Answers are reused for ten seconds.
  service.now += 10
  const response = await service.app.inject('/v1/status/storage')
  expect(response.statusCode).toBe(200)
  return response.json()
}
const sizeOf = async (expression: string): Promise<number> =>
  Number((await store.database.unsafe<{ bytes: bigint }[]>(`select ${expression} as bytes`))[0]?.bytes)
const database = (): Promise<number> => sizeOf('pg_database_size(current_database())')

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain: one, blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }] })
  await seedChain(store.database, { chain: other, blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }] })
  // Three rows of one chain for each row of the other, in a table that they share.
  await store.database`
    insert into seen (chain, role, address, hour_ts, first_block)
    select case when n % 4 = 0 then ${other}::bigint else ${one}::bigint end, 0, sha256(int8send(n)), 0, 0
    from generate_series(1, 4000) n`
  await store.database`analyze seen`
  service = await startTestService(store.database, { config: testConfig({ chains }) })
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

test('the parts add up to the database, and a chain has its partitions and its share', async () => {
  const { bytes, parts, ...rest } = await ask()
  // The server may write its catalogs and statistics between the two.
  expect(Math.abs(Number(bytes) - (await database()))).toBeLessThan(200_000)
  expect(parts.reduce((sum, part) => sum + Number(part.bytes), 0)).toBe(Number(bytes))
  for (const part of parts)
    expect(part.tables.reduce((sum, table) => sum + Number(table.bytes), 0)).toBe(Number(part.bytes))
  expect(parts.map(({ name }) => name).sort()).toEqual(['One', 'Other', 'P, X and atomic C', 'Shared'])
  const own = (name: string, table: string) =>
    Number(parts.find((part) => part.name === name)?.tables.find((each) => each.name === table)?.bytes)
  expect(own('One', 'blocks')).toBe(await sizeOf(`pg_total_relation_size('blocks_${one}_0')`))
  const seen = await sizeOf(`pg_total_relation_size('seen')`)
  expect(own('One', 'seen') / seen).toBeCloseTo(0.75, 1)
  expect(own('Other', 'seen') / seen).toBeCloseTo(0.25, 1)
  // Nothing was sampled yet.
  expect(rest).not.toHaveProperty('growthPerDay')
  expect(rest).not.toHaveProperty('fullTimestamp')
})

test('growth is measured between samples, and tells when the disk is full', async () => {
  const began = service.now
  await sampleDisk(store.database, began)
  const before = await database()
  for (const seconds of [1_800, 3_700, day - 20]) {
    service.now = began + seconds
    const early = await ask()
    expect(early, `${seconds} s say too little`).not.toHaveProperty('growthPerDay')
    expect(early).not.toHaveProperty('fullTimestamp')
  }

  service.now = began + 2 * day - 10
  await ensurePartitions(store.database, BigInt(one), 0n, 0n)
  await store.database`
    insert into logs (chain, number, index, tx_index, address, data)
    select ${one}, 0, n, 0, sha256(int8send(n)), sha256(int8send(n)) from generate_series(1, 20000) n`
  const answer = await ask()
  const after = await database()
  expect(after).toBeGreaterThan(before + 1_000_000)
  // The samples themselves are part of what was written after the first one.
  expect(Math.abs(Number(answer.growthPerDay) - (after - before) / 2)).toBeLessThan(100_000)
  expect(answer.sampledSince).toBe(began)
  const grown = (name: string) => Number(answer.parts.find((part) => part.name === name)?.growthPerDay)
  expect(grown('One')).toBeGreaterThan(1_000_000)
  // Its part of the tables of all chains, to which the server may add a page of its own.
  expect(Math.abs(grown('Other'))).toBeLessThan(100_000)

  const [folder] = await store.database<{ data_directory: string }[]>`show data_directory`
  const [, free] = execFileSync('df', ['-B1', '--output=avail', String(folder?.data_directory)])
    .toString()
    .split('\n')
  expect(Number(answer.freeBytes) / Number(free)).toBeCloseTo(1, 1)
  const days = Number(answer.freeBytes) / Number(answer.growthPerDay)
  expect(Math.abs((answer.fullTimestamp ?? 0) - service.now - days * day)).toBeLessThan(day)
})

test('samples are kept for forty days', async () => {
  await sampleDisk(store.database, service.now + 100 * day)
  const [row] = await store.database<{ first: bigint }[]>`select min(ts) as first from disk_samples`
  expect(Number(row?.first)).toBe(service.now + 100 * day)
})

test('with a server of the operator’s own, the free space is not known', async () => {
  const config = { ...testConfig({ chains }), databaseUrl: store.url }
  const elsewhere = await startTestService(store.database, { config })
  const answer = (await elsewhere.app.inject('/v1/status/storage')).json<Answer>()
  expect(answer).not.toHaveProperty('freeBytes')
  expect(answer).not.toHaveProperty('fullTimestamp')
  await elsewhere.close()
})

test('a syncing chain says how fast it is, how long it takes, and what bounds it', async () => {
  type Status = { chains: { chainId: string; sync?: object }[] }
  const statusOf = async (at: number) => {
    const fresh = await startTestService(store.database, { config: testConfig({ chains }) })
    fresh.now = at
    const { chains: all } = (await fresh.app.inject('/v1/status')).json<Status>()
    await fresh.close()
    return all.find(({ chainId }) => chainId === String(one))?.sync
  }
  const now = 1_790_000_000
  await store.database`update chains set state = 'syncing', node_block = 3001 where chain = ${one}`
  expect(await statusOf(now)).toBeUndefined()
  await store.database`insert into sync_progress values (${one}, ${now}, 12.5, 'decoding')`
  expect(await statusOf(now + 60)).toEqual({ blocksPerSecond: 12.5, secondsLeft: 241, boundBy: 'decoding' })
  expect(await statusOf(now + 61), 'a minute is too old').toBeUndefined()
  await store.database`update sync_progress set blocks_per_second = 0`
  expect(await statusOf(now)).toEqual({ blocksPerSecond: 0, boundBy: 'decoding' })
  await store.database`update chains set state = 'live' where chain = ${one}`
  expect(await statusOf(now)).toBeUndefined()
})

test('while a chain reads its history nothing is sampled, so that its growth counts for no later day', async () => {
  const now = service.now
  const samples = async () => Number((await store.database`select count(*) as n from disk_samples`)[0]?.['n'])
  await store.database`delete from disk_samples`
  expect(await sampleWhenDue(store.database, now)).toBe(3_600)
  expect(await sampleWhenDue(store.database, now + 600)).toBe(3_000)
  expect(await samples()).toBeGreaterThan(0)
  // Its newest block is of 2023.
  await store.database`update chains set state = 'syncing' where chain = ${other}`
  expect(await sampleWhenDue(store.database, now + 4_000)).toBe(60)
  expect(await samples()).toBe(0)
  expect(await ask()).not.toHaveProperty('growthPerDay')
  // A chain that only follows its head may be a few blocks behind.
  await store.database`update blocks set ts = ${now + 4_000} where chain = ${other}`
  expect(await sampleWhenDue(store.database, now + 4_060)).toBe(3_600)
  expect(await samples()).toBeGreaterThan(0)
})
