import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { openDatabase, versionProblem } from './database.ts'
import { Servers } from './servers.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await createTestDatabase()
})

afterAll(() => testDatabase.drop())

describe('a transaction', () => {
  test('keeps its connection when every connection of the pool is busy', async () => {
    const sql = testDatabase.database
    const connections = 6
    const each = (run: () => Promise<unknown>) => Promise.all(Array.from({ length: connections }, run))
    await each(() => sql`select 1`.execute())
    // One statement runs on each connection, and none is queued yet.
    const busy = each(() => sql`select pg_sleep(0.2)`.execute())
    const transactions = Array.from({ length: connections }, () =>
      sql.begin(async (own) => {
        const [first] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`
        await own`select pg_sleep(0.01)`
        const [second] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`
        return [first?.pid, second?.pid]
      }),
    )
    for (const [first, second] of await Promise.all(transactions)) {
      expect(first).toBeTypeOf('number')
      expect(second).toBe(first)
    }
    await busy
  })
})

test('a pool can be used after more failures than it has connections', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  const database = openDatabase(`postgres://nobody@127.0.0.1:${port}/none`, { max: 2 })
  for (let attempt = 0; attempt < 6; attempt += 1) {
    await expect(database`select 1`).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await expect(database.begin((sql) => sql`select 1`)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  }
  await database.end({ timeout: 1 })
})

test('names the servers when none of several is the wanted one, however often', async () => {
  const hosts = '127.0.0.1:1,127.0.0.1:2'
  const database = openDatabase(`postgres://nobody@${hosts}/none`, { max: 1 })
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await expect(database`select 1`).rejects.toMatchObject({
      code: 'SERVER_ABSENT',
      message: 'no primary answers at 127.0.0.1:1, 127.0.0.1:2',
    })
  }
  await database.end({ timeout: 1 })
})

test.each([
  [
    'postgres://a:b%40c@one:5000,two/db?sslmode=verify-full',
    ['one:5000,two:5000'],
    'b@c',
    'db',
    'verify-full',
  ],
  ['postgresql://a@one/d%20b', ['one:5432'], '', 'd b', false],
  ['postgres://a@localhost/db?host=%2Fvar%2Frun', ['/var/run/.s.PGSQL.5432'], '', 'db', false],
])('reads hosts, password, database and TLS from %s', (url, host, pass, database, ssl) => {
  expect(new Servers(url).login).toMatchObject({ host, user: 'a', pass, database, ssl })
})

test('only PostgreSQL 15 or newer can be used', () => {
  expect(versionProblem(140_019, '14.19')).toBe(
    'the database server is PostgreSQL 14.19: Ridgeline needs version 15 or newer',
  )
  expect(versionProblem(150_000, '15.0')).toBeUndefined()
})
