import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { get, type IncomingMessage } from 'node:http'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { heartbeatSeconds, liveEvents, type LiveEvent } from '../../contract/events.ts'
import { liveChannel } from '../store/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { insertBlocks, seedChain, type SeedBlock } from '../testing/chain-rows.ts'
import { testConfig } from '../testing/config.ts'
import { startTestService, type TestService } from '../testing/service.ts'
import { createLiveHub, statusTopic, type LiveHub } from './hub.ts'

const block = (number: number): SeedBlock => ({ number, ts: 1_700_000_000 + number, txs: [] })
const headNotice = (number: number, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ kind: 'head', chain: 43113, number, hash: '0xab', ts: 1_700_000_000, txs: 2, ...more })

/** Long, because it depends on the database, and free when all is well. */

let store: TestDatabase
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain: 43113, blocks: [block(0)] })
})
afterAll(() => store.drop())
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listening(
  limits: Record<string, number> = {},
): Promise<{ service: TestService; port: number }> {
  const service = await startTestService(store.database, { config: testConfig({ limits }) })
  cleanups.push(() => service.close())
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  return { service, port: (service.app.server.address() as AddressInfo).port }
}

type Reader = {
  readonly response: IncomingMessage
  /** The next frame other than a heartbeat. */
  readonly next: () => Promise<string>
  /** The next heartbeat. */
  readonly beat: () => Promise<LiveEvent<'heartbeat'>>
}

/** Opens `/events` and reads complete frames. */
async function open(port: number): Promise<Reader> {
  const request = get({ host: '127.0.0.1', port, path: '/events', headers: { 'accept-encoding': 'gzip' } })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  cleanups.push(() => response.destroy())
  response.setEncoding('utf8')
  let text = ''
  let wake: () => void = () => undefined
  response.on('data', (chunk: string) => {
    text += chunk
    wake()
  })
  const frame = async (): Promise<string> => {
    while (!text.includes('\n\n')) await new Promise<void>((resolve) => (wake = resolve))
    const end = text.indexOf('\n\n')
    const taken = text.slice(0, end)
    text = text.slice(end + 2)
    return taken
  }
  const nextWhere = async (isBeat: boolean): Promise<string> => {
    for (;;) {
      const taken = await frame()
      if (taken.startsWith('event: heartbeat\n') === isBeat) return taken
    }
  }
  return {
    response,
    next: () => nextWhere(false),
    beat: async () =>
      liveEvents.heartbeat.parse(
        JSON.parse((await nextWhere(true)).slice('event: heartbeat\ndata: '.length)),
      ),
  }
}

describe('/events', () => {
  test('passes on heads, reorgs and progress in the format of the contract', async () => {
    const { service, port } = await listening()
    const { response, next } = await open(port)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
    })
    expect(response.headers).not.toHaveProperty('content-encoding')
    expect(await next()).toMatch(/^retry: \d+$/)
    service.live.receive(headNotice(5))
    service.live.receive(JSON.stringify({ kind: 'reorg', chain: 43113, ancestor: 3, depth: 2, count: 5 }))
    service.live.receive(
      JSON.stringify({
        kind: 'progress',
        chain: 43113,
        state: 'stopped',
        reason: 'a\nb',
        indexed: 5,
        node: null,
      }),
    )
    const frames = [await next(), await next(), await next()]
    const events = frames.map((frame) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      return [name, liveEvents[name as keyof typeof liveEvents].parse(JSON.parse(data))]
    })
    expect(events).toEqual([
      [
        'head',
        { chainId: '43113', blockNumber: '5', blockHash: '0xab', blockTimestamp: 1_700_000_000, txCount: 2 },
      ],
      ['reorg', { chainId: '43113', ancestor: '3', depth: 2, reorgCount: 5 }],
      ['progress', { chainId: '43113', state: 'stopped', reason: 'a\nb', indexedBlock: '5' }],
    ])
  })

  test('refuses connections above its limit, and accepts new ones when one ends', async () => {
    const { port } = await listening({ liveConnections: 2 })
    const first = await open(port)
    await open(port)
    const third = await open(port)
    expect(third.response.statusCode).toBe(503)
    expect(third.response.headers['retry-after']).toBe('10')
    first.response.destroy()
    await expect.poll(async () => (await open(port)).response.statusCode).toBe(200)
  })

  test('disconnects only a client that does not keep up', async () => {
    const { service, port } = await listening()
    await rawReader(port)
    const { response, next } = await open(port)
    await next()
    const wide = 'x'.repeat(20_000)
    const connections = (): Promise<number> =>
      new Promise((resolve) => service.app.server.getConnections((_error, count) => resolve(count)))
    let sent = 0
    while (sent < 5_000 && (await connections()) === 2) {
      service.live.receive(headNotice(sent, { hash: wide }))
      expect(await next()).toContain(`"blockNumber":"${sent}"`)
      sent += 1
    }
    expect(sent).toBeLessThan(5_000)
    expect(response.destroyed).toBe(false)
  })

  test('ends with the service', async () => {
    const { service, port } = await listening()
    const { response, next } = await open(port)
    await next()
    const ended = once(response, 'end')
    response.resume()
    await service.close()
    await ended
  })
})

describe('heartbeats', () => {
  async function connectedService(): Promise<{ service: TestService; port: number }> {
    const hub = createLiveHub(pino({ level: 'silent' }))
    cleanups.push(await hub.connect(store.database))
    const service = await startTestService(store.database, { live: hub })
    cleanups.push(() => service.close())
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    return { service, port: (service.app.server.address() as AddressInfo).port }
  }

  test("arrive at once and then at the contract's interval, with the service's clock", async () => {
    const { service, port } = await connectedService()
    const { beat } = await open(port)
    expect(await beat()).toEqual({ time: service.now })
    const first = performance.now()
    service.now += 7
    expect(await beat()).toEqual({ time: service.now })
    await beat()
    expect((performance.now() - first) / 1_000).toBeLessThan(2 * heartbeatSeconds + 1)
  })

  test('report why no events can arrive when the listening connection hangs, until a new one listens', async () => {
    const { port } = await connectedService()
    const { beat } = await open(port)
    expect(await beat()).not.toHaveProperty('reason')
    const [listener] = await store.database<{ pid: number }[]>`
      select pid from pg_stat_activity where query ilike 'listen%' and datname = current_database()`
    if (!listener) throw new Error('nobody listens')
    process.kill(listener.pid, 'SIGSTOP')
    cleanups.push(() => process.kill(listener.pid, 'SIGCONT'))
    let heard = await beat()
    while (heard.reason === undefined) heard = await beat()
    expect(heard.reason).toBe('the database passes no announcements on')
    while (heard.reason !== undefined) heard = await beat()
  })

  test('report that the database has not started', async () => {
    const service = await startTestService(undefined)
    cleanups.push(() => service.close())
    await service.app.listen({ host: '127.0.0.1', port: 0 })
    const { beat } = await open((service.app.server.address() as AddressInfo).port)
    expect((await beat()).reason).toBe('the database is starting')
  })

  test('continue if the database sends no notifications, as on a replica', async () => {
    const { port } = await listening()
    const { beat } = await open(port)
    expect(await beat()).not.toHaveProperty('reason')
  })
})

/** A client that requests `/events` and never reads. */
async function rawReader(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  cleanups.push(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.on('error', () => undefined)
  socket.write('GET /events HTTP/1.1\r\nhost: x\r\n\r\n')
  return socket
}

describe('announcements', () => {
  const hubs: LiveHub[] = []
  const connected = async (log: string[] = []): Promise<LiveHub> => {
    const hub = createLiveHub(pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }))
    const stop = await hub.connect(store.database)
    cleanups.push(stop)
    hubs.push(hub)
    return hub
  }

  test('arrive from the database: blocks change both versions of their chain, its state only one', async () => {
    const hub = await connected()
    const seen: string[] = []
    hub.subscribe(({ name }) => seen.push(name))
    const before = hub.version('43113')
    const stood = hub.version(statusTopic('43113'))
    await store.database.notify(liveChannel, headNotice(1))
    await expect.poll(() => seen).toEqual(['head'])
    expect(hub.version('43113')).toBe(before + 1)
    expect(hub.version(statusTopic('43113'))).toBe(stood + 1)
    expect(hub.version('1')).toBe(before)
    await store.database.notify(
      liveChannel,
      JSON.stringify({ kind: 'progress', chain: 43113, state: 'live' }),
    )
    await expect.poll(() => seen).toEqual(['head', 'progress'])
    expect(hub.version('43113')).toBe(before + 1)
    expect(hub.version(statusTopic('43113'))).toBe(stood + 2)
  })

  test.each(['', 'head', '{}', '{"kind":"novel","chain":1}', '[]', '{"kind":"head","chain":"x"}'])(
    '%j moves every version, because it may mean anything',
    async (payload) => {
      const log: string[] = []
      const hub = await connected(log)
      const before = hub.version('1')
      hub.receive(payload)
      expect(hub.version('1')).toBe(before + 1)
      expect(log.join()).toContain('could not be read')
    },
  )

  test('a lost connection is restored and invalidates cached answers', async () => {
    const hub = await connected()
    const before = hub.version('43113')
    await store.database`
      select pg_terminate_backend(pid) from pg_stat_activity
      where query ilike 'listen%' and datname = current_database()`
    await expect.poll(() => hub.version('43113')).toBeGreaterThan(before)
    const after = hub.version('43113')
    await expect
      .poll(async () => {
        await store.database.notify(liveChannel, headNotice(2))
        return hub.version('43113')
      })
      .toBeGreaterThan(after)
  })

  test('a cached list is rebuilt after its chain has changed', async () => {
    const hub = await connected()
    const service = await startTestService(store.database, { live: hub })
    cleanups.push(() => service.close())
    const heads = async () => {
      const { blocks } = (await service.app.inject('/v1/chains/43113/blocks')).json()
      return blocks.map((each: { blockNumber: string }) => each.blockNumber)
    }
    expect(await heads()).toEqual(['0'])
    await insertBlocks(store.database, 43113, [block(1)])
    const before = hub.version('43113')
    await store.database.notify(liveChannel, headNotice(1))
    await expect.poll(() => hub.version('43113')).toBe(before + 1)
    expect(await heads()).toEqual(['1', '0'])
  })
})
