import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { decodeWarpMessage } from '../../contract/signatures/warp.ts'
import { search } from '../../contract/network/search.ts'
import { testConfig } from '../testing/config.ts'
import { startTestService } from '../testing/service.ts'
import { implement, JsonText, StreamAnswer, type Implementation } from './bind.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** More than the buffers of a connection on this machine take from a server whose client does not read. */
const text = JSON.stringify({ results: [], filling: 'x'.repeat(12 * 1_048_576) })
const largeAnswer = implement(search, () => Object.assign(new JsonText(text), { checked: true }))
const path = '/v1/search?query=1'

async function start(limits: Record<string, number>, extra: readonly Implementation[] = [largeAnswer]) {
  const service = await startTestService(undefined, { config: testConfig({ limits }), extra })
  // Each connection that a test opens listens for its own acceptance.
  service.app.server.setMaxListeners(0)
  const url = await service.app.listen({ host: '127.0.0.1', port: 0 })
  cleanups.push(() => service.close())
  const { port } = service.app.server.address() as AddressInfo
  /** Opens a connection, which sends the text and reads nothing. */
  const open = async (sent = ''): Promise<Socket> => {
    const accepted = once(service.app.server, 'connection')
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    cleanups.push(() => socket.destroy())
    await Promise.all([once(socket, 'connect'), accepted])
    socket.pause().write(sent)
    return socket
  }
  /** The status of the large answer, of which nothing more is read. */
  const ask = async (): Promise<number> => {
    const answer = await fetch(url + path)
    await answer.body?.cancel()
    return answer.status
  }
  return { app: service.app, url, open, ask, log: service.log }
}

const get = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: identity\r\n\r\n`
/** The first bytes of an answer. */
const head = async (socket: Socket): Promise<string> => {
  const [chunk] = (await once(socket.resume(), 'data')) as [Buffer]
  socket.pause()
  return chunk.toString('latin1').slice(0, 2_000)
}
/** Settles when the server has ended one of its connections that are open now. */
const endOfConnection = (server: { once(name: 'connection', then: (socket: Socket) => void): unknown }) =>
  new Promise<void>((resolve) => server.once('connection', (socket) => socket.once('close', () => resolve())))

test('answers that nobody reads keep their place: all others are refused at once, but not /health', async () => {
  const { url, open, ask } = await start({ requestsUnderway: 4 })
  const asked = await Promise.all(Array.from({ length: 300 }, () => open(get(path))))
  const heads = await Promise.all(asked.map(head))
  const served = asked.filter((_, index) => heads[index]?.startsWith('HTTP/1.1 200'))
  const refused = heads.filter((each) => each.startsWith('HTTP/1.1 503'))
  expect([served.length, refused.length]).toEqual([4, 296])
  for (const each of refused) expect(each).toMatch(/\r\nretry-after: 1\r\n/)
  expect(refused[0]).toContain('too many requests are underway')
  expect((await fetch(`${url}/health`)).status).toBe(200)
  expect(await ask()).toBe(503)
  for (const socket of served) socket.destroy()
  await expect.poll(ask).toBe(200)
})

test('work for clients that have left keeps its place until it is done', async () => {
  let finish: () => void = () => undefined
  const held = new Promise<void>((resolve) => (finish = resolve))
  let begun: () => void = () => undefined
  const working = new Promise<void>((resolve) => (begun = resolve))
  const slow = implement(search, async () => {
    begun()
    await held
    return { results: [] }
  })
  const { app, ask, open } = await start({ requestsUnderway: 1 }, [slow])
  const ended = endOfConnection(app.server)
  const client = await open(get(path))
  await working
  client.destroy()
  await ended
  expect(await ask()).toBe(503)
  finish()
  await expect.poll(ask).toBe(200)
})

test('bytes that wait for readers are bounded, and free again when they are read', async () => {
  const { url, open, ask } = await start({ waitingBytes: 1_048_576 })
  const slow = await open(get(path))
  expect(await head(slow)).toMatch(/^HTTP\/1.1 200/)
  // A small body still fits into what is left only when nothing waits.
  const refused = await fetch(url + path)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({
    message: expect.stringContaining('slow readers'),
    statusCode: 503,
  })
  slow.resume()
  await expect.poll(ask).toBe(200)
})

test('bodies count from their headers on, whether they say their length or not', async () => {
  const { url, open, app } = await start({ waitingBytes: 1_048_576, bodyBytes: 1_048_576 }, [])
  const post = `POST ${decodeWarpMessage.path.replace('{network}', 'fuji')} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
  // Twice, because what a request held must be freed exactly once.
  const lengths = ['content-length: 1048000', 'transfer-encoding: chunked']
  for (const header of [...lengths, ...lengths]) {
    const ended = endOfConnection(app.server)
    const slow = await open(`${post}content-type: application/json\r\n${header}\r\n\r\n`)
    const ask = async () =>
      (await fetch(url + post.split(' ')[1], { method: 'POST', body: 'x'.repeat(1_000) })).status
    await expect.poll(ask).toBe(503)
    slow.destroy()
    await ended
    await expect.poll(ask).not.toBe(503)
  }
})

test('a body that does not arrive in time is a 408', async () => {
  const { open } = await start({ receiveSeconds: 0.2 }, [])
  const post = `POST ${decodeWarpMessage.path.replace('{network}', 'fuji')} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
  expect(
    await head(await open(`${post}content-type: application/json\r\ncontent-length: 10\r\n\r\n{`)),
  ).toMatch(/^HTTP\/1.1 408/)
})

test('a client that does not read its answer is disconnected, one that reads a long stream is not', async () => {
  let chunks = 0
  const endless = implement(search, () => {
    const body = new Readable({
      read() {
        chunks += 1
        this.push(Buffer.alloc(1_048_576))
      },
    })
    return new StreamAnswer('application/octet-stream', body)
  })
  for (const extra of [largeAnswer, endless]) {
    const { app, open } = await start({ sendSeconds: 0.3 }, [extra])
    const ended = endOfConnection(app.server)
    await open(get(path))
    await ended
  }
  const { app, open } = await start({ sendSeconds: 0.3 }, [endless])
  let isOpen = true
  void endOfConnection(app.server).then(() => (isOpen = false))
  const reader = await open(get(path))
  const begun = performance.now()
  const seen = chunks
  // Three times as long as a client may pause.
  for await (const _ of reader.resume()) if (performance.now() - begun > 900) break
  expect(chunks).toBeGreaterThan(seen + 8)
  expect(isOpen).toBe(true)
})

test('a connection beyond the limit is told so and closed; /health is answered on it', async () => {
  const { open } = await start({ connections: 3 }, [])
  const within = [await open(), await open(), await open()]
  const beyond = await open()
  beyond.write(get('/health'))
  expect(await head(beyond)).toMatch(/^HTTP\/1.1 200/)
  beyond.write(get(path))
  const refused = await head(beyond)
  expect(refused).toMatch(/^HTTP\/1.1 503/)
  expect(refused).toMatch(/\r\nconnection: close\r\n/)
  expect(refused).toContain('all 3 connections are taken')
  within[0]?.write(get('/v1/search'))
  expect(await head(within[0] as Socket)).toMatch(/^HTTP\/1.1 400/)
})

test('a refused call to a node is a JSON-RPC error, with the id of a call that was not read', async () => {
  const { url, open } = await start({ requestsUnderway: 1 })
  expect(await head(await open(get(path)))).toMatch(/^HTTP\/1.1 200/)
  const body = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}'
  for (const endpoint of ['/ext/bc/C/rpc', '/ext/bc/P', '/ext/none']) {
    const headers = { 'content-type': 'application/json' }
    const refused = await fetch(url + endpoint, { method: 'POST', headers, body })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    expect(refused.headers.get('content-type')).toMatch(/^application\/json/)
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_005, message: 'too many requests are underway, try again later' },
    })
  }
})

test('refusals do not fill the log', async () => {
  const { open, ask, log } = await start({ requestsUnderway: 1 })
  expect(await head(await open(get(path)))).toMatch(/^HTTP\/1.1 200/)
  for (let count = 0; count < 20; count += 1) expect(await ask()).toBe(503)
  expect(log().match(/requests? refused/g)).toHaveLength(1)
})
