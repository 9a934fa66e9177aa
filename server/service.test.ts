import { createServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Config } from './kernel/settings/config.ts'
import { startService, type RunIndexers, type Service } from './service.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { testConfig } from './testing/config.ts'
import { withServer } from './testing/server.ts'
import { startEmbeddedPostgres } from './store/embedded-postgres.ts'

let store: TestDatabase
/** For what another process decides: long, because it costs nothing when all is well. */
const cleanups: (() => unknown)[] = []
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const following: RunIndexers = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ridgeline-service-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  return folder
}

async function start(config: Partial<Config>, runIndexers: RunIndexers = following) {
  const lines: string[] = []
  const { localToken: _, ...settings } = testConfig()
  const home = temporaryFolder()
  const service = await startService({
    config: { ...settings, home, role: 'all', logLevel: 'info', databaseUrl: store.url, ...config },
    version: '0.0.0',
    runIndexers,
    logTo: { write: (line: string) => void lines.push(line) },
  })
  cleanups.push(() => service.stop())
  return { service, log: () => lines.join('') }
}

const status = async (service: Service, path: string): Promise<number> =>
  (await fetch(new URL(path, service.url))).status

async function taken(): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => socket.on('error', () => undefined))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return { port: (server.address() as AddressInfo).port, server }
}

test('keeps its local token in its home, and out of log and dashboard', async () => {
  const home = temporaryFolder()
  const network = { id: 'fuji', name: 'Away', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' }
  const { networks } = testConfig({ networks: [network] })
  const { service, log } = await start({ networks, home, logLevel: 'trace' })
  const token = readFileSync(join(home, 'token'), 'utf8').trim()
  const ask = async (headers: Record<string, string>): Promise<string> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'admin.getLoggerLevel' })
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }
    return (await fetch(new URL('/ext/admin', service.url), init)).text()
  }
  expect(await ask({})).toContain('it needs the local token')
  expect(await ask({ 'x-ridgeline-token': token })).toContain('the node cannot be reached')
  expect(await (await fetch(new URL('/config.json', service.url))).text()).not.toContain(token)
  expect(log()).not.toContain(token)
})

test('without a place for the token it runs, says why, and lets nobody administrate', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const { log } = await start({ home: join(file, 'home') })
  expect(log()).toContain("the local token: its file can't be made (ENOTDIR)")
})

test('listens, opens the database, follows the chains and ends in order', async () => {
  const order: string[] = []
  const { service } = await start({}, async (options) => {
    order.push('indexers start')
    await following(options)
    // The database must still be there for what indexers finish.
    await options.database`select 1`
    order.push('indexers end')
  })
  await expect.poll(() => status(service, '/v1/search?query=token')).toBe(200)
  await expect.poll(() => order).toEqual(['indexers start'])
  await service.stop()
  expect(order).toEqual(['indexers start', 'indexers end'])
  await expect(fetch(new URL('/health', service.url))).rejects.toThrow()
})

test('a health port in use is named, and a free one answers for an indexer', async () => {
  const { port, server } = await taken()
  const refused = await start({ healthPort: port, role: 'indexer' })
  expect(await refused.service.failure).toEqual({
    message: `port ${port} of 127.0.0.1 is in use: choose another with HEALTH_PORT=${port + 10}`,
    exitCode: 2,
  })
  await new Promise((resolve) => server.close(resolve))
  const { service } = await start({ healthPort: port, role: 'indexer' })
  const url = `http://127.0.0.1:${port}/health`
  expect(await (await fetch(url)).json()).toEqual({ status: 'ok' })
  await service.stop()
  await expect(fetch(url)).rejects.toThrow()
})

test('a port in use is named, with how to choose another', async () => {
  const { port } = await taken()
  const { service } = await start({ port })
  expect(service.url).toBeUndefined()
  expect(await service.failure).toEqual({
    message: `port ${port} of 127.0.0.1 is in use: choose another with PORT=${port + 10}`,
    exitCode: 2,
  })
})

test('a host that is none of this machine is named', async () => {
  const { service } = await start({ host: '192.0.2.1' })
  expect(await service.failure).toMatchObject({
    message: expect.stringContaining('HOST: got "192.0.2.1"'),
    exitCode: 2,
  })
})

test('indexers that cannot go on are the service’s failure', async () => {
  const { service } = await start({}, () => Promise.reject(new Error('another process indexes chain 43113')))
  expect(await service.failure).toEqual({ message: 'another process indexes chain 43113', exitCode: 1 })
  expect(await status(service, '/health')).toBe(200)
})

test('the role api follows no chain, the role indexer does not listen', async () => {
  let started = 0
  const count: RunIndexers = (options) => {
    started += 1
    return following(options)
  }
  const api = await start({ role: 'api' }, count)
  await expect.poll(() => status(api.service, '/v1/search?query=token')).toBe(200)
  expect(started).toBe(0)
  const indexer = await start({ role: 'indexer' }, count)
  expect(indexer.service.url).toBeUndefined()
  await expect.poll(() => started).toBe(1)
})

test('the role api reads from a database that it may not write to', async () => {
  const replica = await createTestDatabase()
  cleanups.push(() => replica.drop())
  const name = new URL(replica.url).pathname.slice(1)
  await replica.database.unsafe(`alter database ${name} set default_transaction_read_only = on`)
  const api = await start({ role: 'api', databaseUrl: replica.url })
  await expect.poll(() => status(api.service, '/v1/search?query=token')).toBe(200)
  const all = await start({ databaseUrl: replica.url })
  expect(await all.service.failure).toMatchObject({
    message: expect.stringContaining('read-only'),
    exitCode: 1,
  })
  // Pools that are still open would keep the database from being dropped.
  await Promise.all([api.service.stop(), all.service.stop()])
})

test('a schema of another unreleased version is refused, or made anew if all chains may start over', async () => {
  const home = temporaryFolder()
  // The server may run as another user.
  chmodSync(home, 0o755)
  const postgres = await startEmbeddedPostgres({ home })
  await withServer(postgres.url, (sql) =>
    sql.unsafe(`
      create table migrations (name text primary key, applied_ts bigint not null);
      insert into migrations values ('0001-schema-of-before', 0);
      create table blocks (anything text)`),
  )
  await postgres.stop()
  const { localToken: _, ...bundled } = testConfig()
  const startBundled = async (chains: Config['chains']) => {
    const service = await startService({
      config: { ...bundled, home, role: 'all', chains },
      version: '0.0.0',
      runIndexers: following,
    })
    cleanups.push(() => service.stop())
    return service
  }
  const refused = await startBundled(bundled.chains)
  expect(await refused.failure).toMatchObject({
    message: expect.stringContaining('another unreleased version (0001-schema-of-before)'),
    exitCode: 1,
  })
  await refused.stop()
  const made = await startBundled(
    bundled.chains.map((chain) => ({ ...chain, onNewGenesis: 'startOver' as const })),
  )
  await expect.poll(() => status(made, '/v1/search?query=token')).toBe(200)
  await made.stop()
})

test('waits for a database that cannot be reached, and says so', async () => {
  const { port, server } = await taken()
  server.close()
  const { service } = await start({ databaseUrl: `postgres://nobody:hunter2@127.0.0.1:${port}/none` })
  await expect
    .poll(async () => (await (await fetch(new URL('/ready', service.url))).json()) as unknown)
    .toMatchObject({ message: 'the database cannot be reached', statusCode: 503 })
  expect(await status(service, '/health')).toBe(200)
  await service.stop()
})

test('the password of the database is in no log line', async () => {
  const { port, server } = await taken()
  server.close()
  const { service, log } = await start({ databaseUrl: `postgres://nobody:hunter2@127.0.0.1:${port}/none` })
  await expect.poll(log).toContain('trying again')
  await service.stop()
  expect(log()).not.toContain('hunter2')
})

test('slow reads end by the statement timeout, and /health answers beside them', async () => {
  const limits = { ...testConfig().limits, statementMilliseconds: 300 }
  const { service } = await start({ role: 'api', limits })
  await expect.poll(() => status(service, '/v1/search?query=token')).toBe(200)
  const blocker = store.open({ max: 1 })
  const reserved = await blocker.reserve()
  await reserved`begin`
  await reserved`lock table blocks in access exclusive mode`
  const reads = Array.from({ length: 12 }, (_, index) => status(service, `/v1/chains/43113/blocks/${index}`))
  expect(await status(service, '/health')).toBe(200)
  expect(await Promise.all(reads)).toEqual(reads.map(() => 503))
  await reserved`rollback`
  reserved.release()
  await expect.poll(() => status(service, '/v1/search?query=token')).toBe(200)
})
