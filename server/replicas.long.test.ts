import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  chainConfig,
  digest,
  digestOfFresh,
  startIndexer,
  storedHead,
  until,
} from './indexer/testing/harness.ts'
import { SimulatedChain } from './indexer/testing/simulated-chain.ts'
import { SimulatedNode } from './indexer/testing/simulated-node.ts'
import { runIndexers } from './indexer/run.ts'
import type { Config } from './kernel/settings/config.ts'
import { startService, type RunIndexers, type Service } from './service.ts'
import { liveChannel } from './store/database.ts'
import { endOfLog } from './store/replica.ts'
import { addressOf } from './testing/chain-rows.ts'
import { startCluster, type Cluster, type ClusterServer } from './testing/cluster.ts'
import { freePort } from './testing/proxies.ts'
import { testConfig } from './testing/config.ts'
import { verifyChain } from './verify/chain.ts'

/** For what other processes decide: long, because it costs nothing when all is well. */
const patient = { interval: 20 }
const chain = new SimulatedChain(18)
const node = new SimulatedNode({ chain })
const cleanups: (() => unknown)[] = []
let rpcUrl: string
let cluster: Cluster
let primary: ClusterServer
let near: ClusterServer
let far: ClusterServer

beforeAll(async () => {
  rpcUrl = await node.start()
  cluster = await startCluster()
  ;[primary, near, far] = cluster.servers
})
afterAll(async () => {
  await cluster.stop()
  await node.stop()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(settings: Partial<Config>) {
  const lines: string[] = []
  const home = mkdtempSync(join(tmpdir(), 'ridgeline-replicas-'))
  const run: RunIndexers = (options) => runIndexers({ ...options, pace })
  const service = await startService({
    config: {
      ...testConfig(),
      chains: [chainConfig({ evmChainId: chain.id, rpcUrl })],
      home,
      logLevel: 'info',
      databaseUrl: cluster.urlOf(cluster.servers),
      ...settings,
    },
    version: '0.0.0',
    runIndexers: run,
    logTo: { write: (line: string) => void lines.push(line) },
  })
  let failure: string | undefined
  void service.failure.then(({ message }) => (failure = message))
  cleanups.push(async () => {
    await service.stop()
    rmSync(home, { recursive: true })
    // No process may give up.
    expect(failure).toBeUndefined()
  })
  return { service, log: () => lines.join('') }
}

const pace = { first: 20, longest: 200, secondThought: 2, gather: 0, stopped: 20, traces: 30, finality: 30 }
const reads = (servers: readonly ClusterServer[], query?: string) => ({
  role: 'api' as const,
  databaseReadUrl: cluster.urlOf(servers, query),
})

async function get(
  service: Service,
  path: string,
): Promise<{ status: number; retry: string | null; text: string }> {
  const answer = await fetch(new URL(path, service.url))
  return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() }
}
const statusOf = async (service: Service, path: string): Promise<number> => (await get(service, path)).status

/** The height of the newest block that the service shows; undefined when it answers 503. */
async function heightOf(service: Service): Promise<number | undefined> {
  const { status, retry, text } = await get(service, `/v1/chains/${chain.id}/blocks?pageSize=1`)
  if (status === 503) expect(retry).not.toBeNull()
  if (status !== 200) {
    expect(status, text).toBe(503)
    return undefined
  }
  const { blocks } = JSON.parse(text) as { blocks: { blockNumber: string }[] }
  return Number(blocks[0]?.blockNumber ?? -1)
}

/** Five blocks of the list, newest first. */
async function pageOf(
  service: Service,
  token?: string,
): Promise<{ heights: number[]; nextPageToken: string }> {
  const after = token === undefined ? '' : `&pageToken=${encodeURIComponent(token)}`
  const { text } = await get(service, `/v1/chains/${chain.id}/blocks?pageSize=5${after}`)
  const { blocks, nextPageToken } = JSON.parse(text) as {
    blocks: { blockNumber: string }[]
    nextPageToken: string
  }
  return { heights: blocks.map(({ blockNumber }) => Number(blockNumber)), nextPageToken }
}

const shows = (service: Service, height: number) => expect.poll(() => heightOf(service), patient).toBe(height)

/** The events of `/events`, until the test ends. */
async function listenTo(service: Service, onEvent: (name: string, data: Record<string, string>) => void) {
  const stop = new AbortController()
  cleanups.push(() => stop.abort())
  const { body } = await fetch(new URL('/events', service.url), { signal: stop.signal })
  void (async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (name !== undefined && data !== undefined)
          onEvent(name, JSON.parse(data) as Record<string, string>)
      }
    }
  })().catch(() => undefined)
}

/** Stops or resumes replay on a standby, which receives the log meanwhile. */
async function replay(server: ClusterServer, on: boolean): Promise<void> {
  await (on ? server.database`select pg_wal_replay_resume()` : server.database`select pg_wal_replay_pause()`)
  const state = on ? 'not paused' : 'paused'
  await until(`replay is ${state}`, async () => {
    const [row] = await server.database<{ state: string }[]>`select pg_get_wal_replay_pause_state() as state`
    return row?.state === state
  })
}

/** Makes a standby late by 15 ms with every commit until the test ends. */
async function slowDown({ database }: ClusterServer): Promise<void> {
  await database.unsafe("alter system set recovery_min_apply_delay = '15ms'")
  await database`select pg_reload_conf()`
  cleanups.push(async () => {
    await database.unsafe('alter system reset recovery_min_apply_delay')
    await database`select pg_reload_conf()`
  })
}

test('an announcement arrives after the replica has what it announces, a thousand times', async () => {
  const { service } = await start(reads([near]))
  await expect.poll(() => statusOf(service, '/v1/search?query=token'), patient).toBe(200)
  let early = 0
  const looks: Promise<void>[] = []
  await listenTo(service, (name, { blockNumber }) => {
    if (name !== 'head') return
    looks.push(
      near.database`select from service where key = ${`event ${blockNumber}`}`.then((rows) => {
        if (rows.length === 0) early += 1
      }),
    )
  })
  // An announcement that does not wait is early.
  await slowDown(near)
  await expect
    .poll(() => get(service, '/metrics').then(({ text }) => text), patient)
    .toContain('ridgeline_replica_lag')
  for (let number = 0; number < 1_000; number += 1) {
    const notice = { kind: 'head', chain: '1', number, hash: '0x', ts: 1, txs: 0 }
    await primary.database.begin(async (sql) => {
      await sql`insert into service (key, value) values (${`event ${number}`}, '')`
      await sql`select pg_notify(${liveChannel}, ${JSON.stringify(notice)})`
    })
  }
  await expect.poll(() => looks.length, patient).toBe(1_000)
  await Promise.all(looks)
  expect(early).toBe(0)
})

test('readiness and metrics know the lag of the replica, with a limit of its own', async () => {
  chain.mine(20)
  const indexer = await start({ role: 'indexer' })
  const limits = { ...testConfig().limits, replicaLagSeconds: 1 }
  const { service } = await start({ ...reads([near]), limits })
  await shows(service, chain.height)
  await expect.poll(() => statusOf(service, '/ready'), patient).toBe(200)
  await replay(near, false)
  chain.mine(1)
  await expect
    .poll(async () => (await get(service, '/ready')).text, patient)
    .toMatch(/"the replica is \d+ s behind its primary; 1 s are allowed"/)
  expect(await statusOf(service, '/ready')).toBe(503)
  const { text } = await get(service, '/metrics')
  expect(Number(/ridgeline_replica_lag\{unit="seconds"\} (\S+)/.exec(text)?.[1])).toBeGreaterThan(1)
  expect(Number(/ridgeline_replica_lag\{unit="bytes"\} (\S+)/.exec(text)?.[1])).toBeGreaterThan(0)
  expect(await heightOf(service)).toBe(chain.height - 1)
  await replay(near, true)
  await shows(service, chain.height)
  await expect.poll(() => statusOf(service, '/ready'), patient).toBe(200)
  await indexer.service.stop()
})

test('what the API writes goes to the primary, and its reads see it at once', async () => {
  const token = addressOf('art')
  await primary.database`
    insert into nfts (chain, token, kind, token_id, first_block)
    values (${chain.id}, ${Buffer.from(token.slice(2), 'hex')}, 721, 7, 0)`
  const { service } = await start(reads([near]))
  await expect.poll(() => statusOf(service, `/v1/chains/${chain.id}/blocks`), patient).toBe(200)
  await slowDown(near)
  const path = `/v1/chains/${chain.id}/nfts/collections/${token}/tokens/7:reindex`
  const answer = await fetch(new URL(path, service.url), { method: 'POST' })
  expect(answer.status).toBe(201)
  expect(await near.database`select from nft_metadata where token_id = 7`).toHaveLength(1)
})

test('heights never go back when the replica is lost, and reads are 503 until another has caught up', async () => {
  const indexer = await start({ role: 'indexer' })
  const { service } = await start(reads([near, far]))
  await shows(service, chain.height)
  await replay(far, false)
  chain.mine(5)
  await shows(service, chain.height)
  const first = await pageOf(service)
  await near.kill()
  const seen = new Set<number | undefined>()
  await expect
    .poll(async () => {
      seen.add(await heightOf(service))
      return seen.has(undefined)
    }, patient)
    .toBe(true)
  expect(await statusOf(service, '/health')).toBe(200)
  await replay(far, true)
  await expect
    .poll(async () => {
      const height = await heightOf(service)
      seen.add(height)
      return height
    }, patient)
    .toBe(chain.height)
  expect([...seen].filter((height) => height !== undefined)).toEqual([chain.height])
  // A list that was begun on the lost replica goes on where it was.
  const second = await pageOf(service, first.nextPageToken)
  expect([...first.heights, ...second.heights]).toEqual(
    Array.from({ length: 10 }, (_, index) => chain.height - index),
  )
  await near.start()
  await indexer.service.stop()
})

test('a replica reaches the end of the log when it is the end of a page or of a segment', async () => {
  const segment = 16n * 1024n * 1024n
  const next = async (): Promise<bigint> => {
    const [row] = await primary.database<{ at: string }[]>`
      select (pg_current_wal_insert_lsn() - '0/0')::text as at`
    return BigInt(row?.at ?? 0)
  }
  const reached = async (): Promise<bigint> => {
    const [row] = await near.database<{ at: string }[]>`
      select (pg_last_wal_replay_lsn() - '0/0')::text as at`
    return BigInt(row?.at ?? 0)
  }
  const write = (bytes: number) =>
    primary.database`select pg_logical_emit_message(false, '', repeat('x', ${bytes}))`
  await primary.database`select pg_switch_wal()`
  const first = await next()
  expect(first % segment).toBe(40n)
  // A server adds a record by itself every 15 seconds, which would end the wait for a wrong position as well.
  const soon = { timeout: 8_000, interval: 20 }
  const missing = async (): Promise<bigint> => endOfLog(await next(), segment) - (await reached())
  await expect.poll(missing, soon).toBe(0n)
  // Fills the page exactly: a record of so many bytes more takes so many bytes more of the log.
  await until('a record ends with its page', async () => {
    const before = await next()
    await write(400)
    const after = await next()
    const rest = 8_192n - (after % 8_192n)
    if (rest > after - before) await write(400 + Number(rest - (after - before)))
    return (await next()) % 8_192n === 24n
  })
  await expect.poll(missing, soon).toBe(0n)
})

const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path))

/** Starts pgbouncer in front of a server, with two connections that transactions share. */
async function startPooler(program: string, { port }: ClusterServer): Promise<number> {
  const own = await freePort()
  const [settings, users] = ['pgbouncer.ini', 'users.txt'].map((name) => join(cluster.folder, name)) as [
    string,
    string,
  ]
  writeFileSync(users, '"ridgeline" ""\n')
  writeFileSync(
    settings,
    [
      '[databases]',
      `postgres = host=127.0.0.1 port=${port}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${own}\nunix_socket_dir =`,
      `auth_type = trust\nauth_file = ${users}`,
      'pool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 100',
    ].join('\n'),
  )
  const child = spawn(program, [settings], {
    ...cluster.owner,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit')
  cleanups.push(() => {
    child.kill('SIGINT')
    return ended
  })
  const said = once(child.stderr, 'data')
  await Promise.race([said, ended])
  expect(child.exitCode, String((await said)[0])).toBeNull()
  return own
}

// Skipped where pgbouncer is not installed: apt-get install pgbouncer
test.skipIf(pgbouncer === undefined)(
  'reads go through pgbouncer in transaction mode (skipped where it is not installed)',
  async () => {
    const pooler = await startPooler(pgbouncer ?? '', near)
    const url = `postgres://ridgeline@127.0.0.1:${pooler}/postgres`
    const { service, log } = await start({ role: 'api', databaseReadUrl: `${url}?pgbouncer=true` })
    await shows(service, chain.height)
    expect(log()).toContain('reads have no time limit')
    const paths = ['blocks?pageSize=2', 'transactions?pageSize=2', 'blocks/1', 'blocks/2'].flatMap((path) =>
      Array.from(
        { length: 10 },
        (_, index) => `/v1/chains/${chain.id}/${path}${path.includes('?') ? `&startBlock=${index}` : ''}`,
      ),
    )
    const answers = await Promise.all(paths.map((path) => get(service, path)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    const unsaid = await startService({
      config: {
        ...testConfig(),
        home: cluster.folder,
        databaseUrl: cluster.urlOf([primary]),
        databaseReadUrl: url,
      },
      version: '0.0.0',
      runIndexers: () => Promise.resolve(),
    })
    cleanups.push(() => unsaid.stop())
    expect((await unsaid.failure).message).toContain('add pgbouncer=true')
  },
)

test('a killed primary and a promoted replica: every process continues, nothing is lost or doubled', async () => {
  chain.mine(30)
  const indexer = await start({ role: 'indexer' })
  const apis = [await start(reads([near])), await start(reads([far]))] as const
  const heads: number[] = []
  await listenTo(apis[1].service, (name, { blockNumber }) => {
    if (name === 'head') heads.push(Number(blockNumber))
  })
  for (const { service } of apis) await shows(service, chain.height)
  // The last blocks reach no replica: they are lost with the primary, and must be indexed again. The one that is promoted
  // has all that the other has, or the other could not follow it.
  await far.receive(false)
  await near.receive(false)
  const kept = chain.height
  chain.mine(3)
  await until(
    'the primary has more',
    async () => (await storedHead(primary.database, chain.id))?.number === chain.height,
  )
  await primary.kill()
  for (const { service } of apis) expect(await heightOf(service)).toBe(kept)
  chain.mine(2)
  heads.length = 0
  await near.database`select pg_promote()`
  await far.receive(true)
  for (const { service } of apis) await shows(service, chain.height)
  // What is announced before the process listens to the new primary is lost; blocks that come later are not.
  const height = chain.height
  const nextHead = (): number => {
    chain.mine(1)
    return heads.at(-1) ?? 0
  }
  await expect.poll(nextHead, patient).toBeGreaterThan(height)
  await shows(apis[1].service, chain.height)
  // Put there by hand for the reindex.
  await near.database`delete from nfts where token_id = 7 and token = ${Buffer.from(addressOf('art').slice(2), 'hex')}`
  const { findings } = await verifyChain({ database: near.database, chain: chain.id, rpcUrl })
  expect(findings.all()).toEqual([])
  const uninterrupted = await digestOfFresh(chain.id, async (database) => {
    const fresh = startIndexer(database, chainConfig({ evmChainId: chain.id, rpcUrl }))
    await until('it is indexed', async () => (await storedHead(database, chain.id))?.number === chain.height)
    await fresh.stop()
  })
  expect(await digest(near.database, chain.id)).toEqual(uninterrupted)
  // The lock is held on the new primary.
  const [lock] = await near.database<{ held: boolean }[]>`
    select exists (select from pg_locks where locktype = 'advisory' and classid = 7101) as held`
  expect(lock?.held).toBe(true)
  expect(indexer.log()).not.toContain('The service cannot continue')
})
