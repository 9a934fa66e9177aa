import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { call } from './testing/gateway.ts'
import { echo, type Script } from './testing/scripted-node.ts'
import { useGateway } from './testing/use-gateway.ts'

const gateway = useGateway()
const { another } = gateway

/** A status with a body of some type. */
const plain =
  (status: number, body: string, headers: Record<string, string> = {}): Script =>
  () =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers })
    response.end(body)
  }
/** A JSON body of which `pieces` pieces of 64 KiB come, and then its end, or nothing more. */
const long =
  (pieces: number, ends: boolean): Script =>
  () =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"jsonrpc":"2.0","id":1,"result":"')
    for (let piece = 0; piece < pieces; piece += 1) response.write('x'.repeat(65_536))
    if (ends) response.end('"}')
  }
const messageOf = (json: unknown): string => (json as { error: { message: string } }).error.message

describe('an answer', () => {
  test('is passed on unchanged', async () => {
    const text = '{ "jsonrpc" : "2.0", "id": 1, "result": {"weight": 299994998998000001, "b": [1.10] } }\n'
    gateway.node.script = () => text
    const answer = await gateway.post('/ext/bc/P', call('platform.getStake', {}))
    expect(answer.text).toBe(text)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  test('is passed on unchanged if it is an error', async () => {
    const text =
      '{"jsonrpc":"2.0","error":{"code":-32000,"message":"alias length is too long","data":null},"id":1}'
    gateway.node.script = () => text
    const { status, text: got } = await gateway.post(
      '/ext/admin',
      call('admin.alias', { alias: 'a'.repeat(513) }),
    )
    expect([status, got]).toEqual([200, text])
  })

  test('is passed on completely if it is long, and successive calls share a connection', async () => {
    gateway.node.script = long(64, true)
    for (let round = 0; round < 3; round += 1) {
      const { json } = await gateway.post('/ext/bc/C/rpc', call('eth_chainId'))
      expect((json as { result: string }).result).toHaveLength(64 * 65_536)
    }
    gateway.node.script = echo
    for (let round = 0; round < 3; round += 1) await gateway.post('/ext/info', call('info.peers'))
    expect(new Set(gateway.node.asked.map(({ port }) => port)).size).toBe(1)
  })

  test('is absent for a notification', async () => {
    gateway.node.script = () => (response) => response.writeHead(200).end()
    const { status, text } = await gateway.post(
      '/ext/bc/P',
      '{"jsonrpc":"2.0","method":"platform.getHeight"}',
    )
    expect([status, text]).toEqual([200, ''])
    expect(gateway.node.asked[0]?.body).toBe('{"jsonrpc":"2.0","method":"platform.getHeight"}')
  })

  test.each([
    [404, '404 page not found\n', 404, 'the node has no /ext/bc/C/rpc: 404 page not found'],
    [
      503,
      'API call rejected because chain is not done bootstrapping\n',
      503,
      'the node answered 503: API call rejected because chain is not done bootstrapping',
    ],
    [401, 'Unauthorized', 502, 'the node answered 401: Unauthorized'],
    [500, '<html>https://node.example/secret</html>', 502, 'the node answered 500'],
    [301, '', 502, 'the node answered 301'],
    [
      413,
      'content length too large (5242939>5242880)\n',
      413,
      'the node answered 413: content length too large (5242939>5242880)',
    ],
  ])('%i of the node', async (status, body, expected, message) => {
    gateway.node.script = plain(status, body, { location: 'http://elsewhere.example/' })
    const answer = await gateway.post('/ext/bc/C/rpc', call('eth_chainId', [], 'mine'))
    expect(answer.status).toBe(expected)
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: 'mine', error: { message } })
  })

  test('a 429 of the node keeps its retry-after', async () => {
    gateway.node.script = plain(429, '', { 'retry-after': '17' })
    const { status, headers } = await gateway.post('/ext/bc/C/rpc', call('eth_chainId'))
    expect([status, headers['retry-after']]).toEqual([429, '17'])
  })

  test('an answer that is not JSON is not passed on, such as metrics behind an alias', async () => {
    gateway.node.script = plain(200, '# HELP avalanche_go_gc\n')
    const { status, json } = await gateway.post('/ext/alias', call('info.peers'))
    expect(status).toBe(502)
    expect(messageOf(json)).toBe('/ext/alias of the node does not answer JSON')
  })

  test('an unreachable node is a 502 without its address', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    const gone = await another({}, () => ({
      chains: [{ evmChainId: 7, name: 'Seven', rpcUrl: `http://127.0.0.1:${port}/` }],
      networks: [],
    }))
    const { status, text } = await gone.post('/ext/bc/7/rpc', call('eth_chainId'))
    expect(status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({
      id: 1,
      error: {
        code: -32000,
        message: 'the node cannot be reached: connection refused: does the node run, and listen there?',
      },
    })
  })
})

describe('the deadline', () => {
  test.each([
    ['no headers', (): Script => () => () => undefined],
    ['headers and a stalled body', (): Script => long(0, false)],
  ])('%s: 504', async (_name, script) => {
    const quick = await another({ deadlineSeconds: 0.5 })
    quick.node.script = script()
    const { status, json } = await quick.post('/ext/bc/C/rpc', call('eth_chainId', [], 7))
    expect(status).toBe(504)
    expect(json).toMatchObject({ id: 7, error: { message: 'no complete answer within 0.5 s' } })
  })

  test('an answer that breaks off ends with the error', async () => {
    const quick = await another({ deadlineSeconds: 0.5 })
    quick.node.script = long(8, false)
    const { status, text } = await quick.post('/ext/bc/C/rpc', call('eth_chainId', [], 7))
    expect(status).toBe(200)
    const [beginning = '', ending = ''] = text.split('\n')
    expect(beginning).toHaveLength('{"jsonrpc":"2.0","id":1,"result":"'.length + 8 * 65_536)
    expect(JSON.parse(ending)).toMatchObject({ id: 7, error: { message: 'no complete answer within 0.5 s' } })
  })
})

describe('the caps', () => {
  test('an answer with too large a content-length is a 502', async () => {
    const small = await another({ answerBytes: 65_536 })
    small.node.script = () => JSON.stringify({ jsonrpc: '2.0', id: 1, result: 'x'.repeat(65_536) })
    const { status, json } = await small.post('/ext/bc/C/rpc', call('eth_chainId'))
    expect(status).toBe(502)
    expect(json).toMatchObject({
      id: 1,
      error: { code: -32005, message: 'the answer is larger than 65536 bytes' },
    })
  })

  test('an answer that grows too large is cut, before and after its start was passed on', async () => {
    const small = await another({ answerBytes: 65_536 })
    small.node.script = long(2, true)
    const { status, json } = await small.post('/ext/bc/C/rpc', call('eth_chainId'))
    expect(status).toBe(502)
    expect(messageOf(json)).toBe('the answer is larger than 65536 bytes')
    const large = await another({ answerBytes: 8 * 65_536 })
    large.node.script = long(1_000, true)
    const { text } = await large.post('/ext/bc/C/rpc', call('eth_chainId'))
    expect(text.length).toBeLessThan(9 * 65_536)
    expect(messageOf(JSON.parse(text.split('\n')[1] ?? ''))).toBe(
      `the answer is larger than ${8 * 65_536} bytes`,
    )
  })

  test('a call above the limit is refused with retry-after, and the slot is released afterwards', async () => {
    const narrow = await another({ maxUnderway: 1 })
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      narrow.node.script = () => (response) => {
        answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
        resolve()
      }
    })
    const first = narrow.post('/ext/info', call('info.peers'))
    await asked
    const second = await narrow.post('/ext/info', call('info.peers', [], 2))
    expect(second.status).toBe(503)
    expect(second.headers['retry-after']).toBe('1')
    expect(second.json).toMatchObject({ id: 2, error: { code: -32005 } })
    answer()
    expect((await first).status).toBe(200)
    narrow.node.script = echo
    expect((await narrow.post('/ext/info', call('info.peers'))).status).toBe(200)
  })

  test('a client cannot take all slots', async () => {
    const narrow = await another({ maxUnderway: 4 })
    const held: (() => void)[] = []
    narrow.node.script = (asked) => (response) => {
      held.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(asked.body))
    }
    const from = (remoteAddress: string, id: number): Promise<number> =>
      narrow.service.app
        .inject({
          method: 'POST',
          url: '/ext/info',
          remoteAddress,
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify(call('info.peers', {}, id)),
        })
        .then(({ statusCode }) => statusCode)
    const greedy = [1, 2].map((id) => from('192.0.2.1', id))
    await expect.poll(() => held.length).toBe(2)
    expect(await from('192.0.2.1', 3)).toBe(503)
    const other = from('192.0.2.2', 4)
    await expect.poll(() => held.length).toBe(3)
    for (const release of held.splice(0)) release()
    expect(await Promise.all([...greedy, other])).toEqual([200, 200, 200])
    // The slots are free again for any client.
    const again = [5, 6].map((id) => from('192.0.2.1', id))
    await expect.poll(() => held.length).toBe(2)
    for (const release of held) release()
    expect(await Promise.all(again)).toEqual([200, 200])
  })

  test('a disconnected caller’s call is cancelled', async () => {
    const ended = new Promise<void>((resolve) => {
      gateway.node.script = () => (response) => {
        response.once('close', resolve)
        socket.destroy()
      }
    })
    const body = JSON.stringify(call('info.peers'))
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) })
    socket.write(
      `POST /ext/info HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await ended
  })

  test('a caller that disconnects during a long answer releases its slot', async () => {
    const narrow = await another({ maxUnderway: 1 })
    narrow.node.script = long(64, false)
    const body = JSON.stringify(call('info.peers'))
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(narrow.url).port) })
    socket.write(
      `POST /ext/info HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await once(socket, 'data')
    expect((await narrow.post('/ext/info', call('info.peers'))).status).toBe(503)
    socket.destroy()
    narrow.node.script = echo
    await expect.poll(async () => (await narrow.post('/ext/info', call('info.peers'))).status).toBe(200)
  })
})

describe('health by GET', () => {
  test.each([200, 503])('%i passes with its checks and tags', async (status) => {
    gateway.node.script = plain(status, '{"checks":{},"healthy":false}', {
      'content-type': 'application/json',
    })
    const { statusCode, body } = await gateway.service.app.inject('/ext/health/readiness?tag=a&tag=b%26&x=1')
    expect([statusCode, body]).toEqual([status, '{"checks":{},"healthy":false}'])
    expect(gateway.node.asked).toMatchObject([
      { method: 'GET', path: '/ext/health/readiness?tag=a&tag=b%26' },
    ])
  })
})

describe('a key in the URL of a node', () => {
  const key = 'canary-0123456789abcdef'
  const failures: [string, Script][] = [
    [
      'its own error',
      () =>
        JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: `${key} is over quota` } }),
    ],
    ['a plain refusal', plain(403, `project ${key} is blocked`)],
    ['a page', plain(500, `<p>http://x/v3/${key}</p>`)],
    ['another type', plain(200, key)],
    ['a redirect', plain(302, key, { location: `http://x/${key}` })],
    ['a cut connection', () => (response) => response.destroy()],
    ['no answer', () => () => undefined],
    ['a cut answer', () => (response) => response.writeHead(200, { 'content-length': '9' }).write('{')],
  ]

  test.each(['path', 'end', 'query', 'password'])('in its %s never leaves the service', async (place) => {
    const keyed = await another({ deadlineSeconds: 0.5 }, (node) => {
      const [bare] = [node.url.replace('http://', '')]
      const rpcUrl = {
        path: `http://${bare}/v3/${key}`,
        end: `http://${bare}/ext/bc/C/rpc/${key}`,
        query: `http://${bare}/rpc?apikey=${key}`,
        password: `http://user:${key}@${bare}/rpc`,
      }[place]
      return { chains: [{ evmChainId: 7, name: 'Seven', rpcUrl }], networks: [] }
    })
    for (const [name, script] of failures) {
      keyed.node.script = script
      const { text, headers } = await keyed.post('/ext/bc/7/rpc', call('eth_chainId'))
      expect(keyed.node.asked.length, name).toBeGreaterThan(0)
      expect(text + JSON.stringify(headers), name).not.toContain(key)
    }
    expect(keyed.service.log()).toContain('a call to a node failed')
    expect(keyed.service.log()).not.toContain(key)
  })
})
