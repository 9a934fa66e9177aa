import { describe, expect, test } from 'vitest'
import { nodeMethods } from '../../contract/node/node-methods.ts'
import { testToken } from '../testing/config.ts'
import { call, failed, type TestGateway } from './testing/gateway.ts'
import { useSockets } from './testing/sockets.ts'
import { useGateway } from './testing/use-gateway.ts'

const gateway = useGateway()
const { another } = gateway
const { open } = useSockets(gateway)

const local = { host: '127.0.0.1:4400' }
const token = { 'x-ridgeline-token': testToken }
const alias = call('admin.alias', { endpoint: 'bc/X', alias: 'mine' })

type Sent = {
  readonly path?: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly remoteAddress?: string
  readonly of?: Pick<TestGateway, 'service'>
}

/** The status and the error of a call; without what `sent` says, of administration on this machine. */
const ask = async (sent: Sent): Promise<{ status: number; message: string | undefined }> => {
  const { path = '/ext/admin', body = alias, headers = {}, remoteAddress = '127.0.0.1', of = gateway } = sent
  const { statusCode, body: text } = await of.service.app.inject({
    method: 'POST',
    url: path,
    remoteAddress,
    headers: { 'content-type': 'application/json', ...local, ...headers },
    payload: JSON.stringify(body),
  })
  return { status: statusCode, message: (JSON.parse(text) as { error?: { message: string } }).error?.message }
}
const statusOf = async (sent: Sent): Promise<number> => (await ask(sent)).status

/** What the browser or a proxy adds, and whether the operator may still act under it with the token. */
const places: readonly (readonly [Record<string, string>, 200 | 403])[] = [
  [{ host: 'localhost:4400' }, 200],
  [{ host: '[::1]:4400' }, 200],
  [{ origin: 'http://127.0.0.1:4400' }, 200],
  [{ origin: 'http://localhost:5173' }, 200],
  [{ host: 'evil.example:4400' }, 403],
  [{ host: 'evil.example', origin: 'http://evil.example' }, 403],
  [{ host: 'localhost.evil.example' }, 403],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'http://127.0.0.1@evil.example' }, 403],
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  ...[
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
    'cf-connecting-ipv6',
    'forwarded',
    'via',
    'cdn-loop',
  ].map((name) => [{ [name]: '127.0.0.1' }, 403] as const),
]

describe('administration', () => {
  test('from this machine needs the token: the address alone could be that of a proxy', async () => {
    expect(await statusOf({})).toBe(401)
    expect(await statusOf({ headers: { 'x-ridgeline-token': '' } })).toBe(401)
    expect(await statusOf({ headers: { 'x-ridgeline-token': `${testToken}x` } })).toBe(401)
    expect(await statusOf({ path: `/ext/admin?token=${testToken}` })).toBe(401)
    expect(gateway.node.asked).toEqual([])
    expect(await statusOf({ headers: token })).toBe(200)
    expect(gateway.node.asked).toHaveLength(1)
    expect(JSON.stringify(gateway.node.asked)).not.toContain(testToken)
    expect(gateway.service.log()).toContain('administration of a node')
    expect(gateway.service.log()).not.toContain(testToken)
  })

  test.each(places)('%j with the token: %i', async (headers, status) => {
    const chain = { path: '/ext/bc/C/admin', body: call('admin_getVMConfig') }
    expect(await statusOf({ headers: { ...token, ...headers } })).toBe(status)
    const remoteAddress = '::ffff:127.0.0.1'
    expect(await statusOf({ ...chain, remoteAddress, headers: { ...token, ...headers } })).toBe(status)
    expect(gateway.node.asked).toHaveLength(status === 200 ? 2 : 0)
  })

  test('from another machine is a 403, with the token and any Host', async () => {
    for (const remoteAddress of ['192.168.1.9', '::ffff:10.0.0.1', '2001:db8::1']) {
      expect(await statusOf({ remoteAddress, headers: token })).toBe(403)
    }
    expect(gateway.node.asked).toEqual([])
  })

  test('through an alias of its endpoint follows the same rules', async () => {
    const path = '/ext/alias-of-admin'
    expect(await statusOf({ path, headers: { ...token, host: 'evil.example' } })).toBe(403)
    expect(await statusOf({ path })).toBe(401)
    expect(gateway.node.asked).toEqual([])
  })

  test('follows the settings off, everybody and hosts', async () => {
    expect(await statusOf({ headers: token, of: await another({ administration: 'off' }) })).toBe(403)
    const everybody = await another({ administration: 'everybody' })
    const afar = { headers: { host: 'explorer.example' }, remoteAddress: '192.0.2.1' }
    expect(await statusOf({ ...afar, of: everybody })).toBe(200)
    const of = await another({ hosts: ['node.internal'] })
    const headers = { ...token, host: 'node.internal:4400' }
    expect(await statusOf({ headers, of })).toBe(200)
    expect(await statusOf({ headers, remoteAddress: '192.0.2.1', of })).toBe(403)
  })

  test('with a key needs the privilege, from any address', async () => {
    const keys = ['administrates', 'does not'].map((name, at) => ({
      name,
      key: `key-${at}-0123456789012`,
      privileges: at === 0 ? ['administration'] : ['prometheus'],
    }))
    const of = await another({}, () => ({ apiKeys: keys }))
    const [may, mayNot] = keys.map(({ key }) => ({
      headers: { host: 'explorer.example', 'x-forwarded-for': '203.0.113.7', 'x-service-api-key': key },
      remoteAddress: '192.0.2.1',
    }))
    expect(await statusOf({ ...may, of })).toBe(200)
    expect(of.service.log()).toContain('"key":"administrates"')
    expect(await statusOf({ ...mayNot, of })).toBe(403)
    expect(
      await statusOf({ ...may, of: await another({ administration: 'off' }, () => ({ apiKeys: keys })) }),
    ).toBe(403)
  })

  test('names what is missing in a refusal', async () => {
    const { json } = await gateway.post('/ext/admin', alias, { host: 'evil.example' })
    const closed = 'the method admin.alias does not exist/is not available'
    expect(json).toEqual(
      failed(
        -32601,
        `${closed}: it is not open under this Host; a key with the privilege "administration" is taken from anywhere`,
      ),
    )
    expect((await ask({})).message).toBe(
      `${closed}: it needs the local token, in the header x-ridgeline-token; the test has it; a key with the privilege "administration" is taken from anywhere`,
    )
    expect((await ask({ headers: { 'x-ridgeline-token': 'x' } })).message).toContain(
      'the local token is another one',
    )
  })
})

describe('namespaces', () => {
  const privileged = nodeMethods.filter(
    ({ closedBy, isSocketOnly }) => closedBy !== undefined && closedBy !== 'administration' && !isSocketOnly,
  )
  const path = '/ext/bc/C/rpc'
  const opened = { namespaces: ['debug', 'txpool', 'personal'] }

  test('that are enabled are for the operator only, every method, alone and in a batch', async () => {
    const of = await another(opened)
    expect(privileged.length).toBeGreaterThan(30)
    for (const { method, params } of privileged) {
      const body = call(method, params)
      const rebound = { headers: { ...token, host: 'evil.example', origin: 'http://evil.example' } }
      expect([method, await statusOf({ path, body, of })]).toEqual([method, 401])
      expect([method, await statusOf({ path, body, of, ...rebound })]).toEqual([method, 403])
      expect([
        method,
        await statusOf({ path, body, of, headers: token, remoteAddress: '192.0.2.1' }),
      ]).toEqual([method, 403])
    }
    expect(of.node.asked).toEqual([])
    const batch = privileged.slice(0, 39).map(({ method, params }, id) => call(method, params, id))
    const { json } = await of.post(path, [...batch, call('eth_chainId', [], 'open')], {
      'x-ridgeline-token': '',
    })
    expect((json as { error?: unknown }[]).filter(({ error }) => error !== undefined)).toHaveLength(39)
    expect(of.node.asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      [call('eth_chainId', [], 'open')],
    ])
    for (const { method, params } of privileged)
      expect([method, await statusOf({ path, body: call(method, params), of, headers: token })]).toEqual([
        method,
        200,
      ])
  })

  test('that are public are for everybody: debug and txpool, never the node’s keys', async () => {
    const of = await another({ publicNamespaces: ['debug', 'txpool'] })
    const afar = { path, of, remoteAddress: '192.0.2.1', headers: { host: 'explorer.example' } }
    for (const { method, params, closedBy } of privileged) {
      const { status, message } = await ask({ ...afar, body: call(method, params) })
      expect([method, status, message === undefined]).toEqual([method, 200, closedBy !== 'personal'])
    }
    await expect(another({ publicNamespaces: ['personal'] })).rejects.toThrow(/publicNamespaces/)
  })

  const socketTo = (headers: Record<string, string>, of: TestGateway, protocols: readonly string[] = []) =>
    open('/ext/bc/C/ws', { of, headers, protocols })

  test('over a websocket are checked in its handshake', async () => {
    const of = await another(opened)
    const sign = call('eth_sign', ['0x', '0x'])
    const rebound = { ...token, host: 'evil.example', origin: 'http://evil.example' }
    const stranger = await socketTo({}, of)
    expect(await stranger.ask(sign)).toMatchObject({
      error: { code: -32000, message: expect.stringContaining('local token') },
    })
    expect(await (await socketTo(rebound, of)).ask(sign)).toMatchObject({
      error: { message: expect.stringContaining('Host') },
    })
    expect(await (await socketTo({ ...token, via: '1.1 proxy' }, of)).ask(sign)).toMatchObject({ error: {} })
    expect(of.node.asked).toEqual([])
    expect(of.service.log()).not.toContain('administration of a node')
    expect(await (await socketTo(token, of)).ask(sign)).toMatchObject({ result: 'eth_sign' })
    expect(of.service.log()).toContain('"method":"eth_sign"')
  })

  test('accept the token in a websocket’s subprotocol, which is never echoed', async () => {
    const of = await another(opened)
    const { ask: askSocket, socket } = await socketTo({}, of, ['ridgeline', `ridgeline.token.${testToken}`])
    expect(socket.protocol).toBe('ridgeline')
    expect(await askSocket(call('personal_listAccounts'))).toMatchObject({ result: 'personal_listAccounts' })
    const wrong = await socketTo({}, of, ['ridgeline', `ridgeline.token.${testToken}x`])
    expect(await wrong.ask(call('personal_listAccounts'))).toMatchObject({ error: { code: -32000 } })
    // In a POST, which a page of another site may send, the same header says nothing.
    const headers = { 'sec-websocket-protocol': `ridgeline.token.${testToken}` }
    expect(await statusOf({ path, body: call('personal_listAccounts'), of, headers })).toBe(401)
    expect(of.service.log()).not.toContain(testToken)
  })
})

describe('trustedProxies', () => {
  const proxied = async (
    trustedProxies: readonly string[],
    remoteAddress: string,
    forwarded: string,
  ): Promise<number> => {
    const of = await another({}, () => ({ trustedProxies }))
    return statusOf({
      of,
      remoteAddress,
      headers: { ...token, 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' },
    })
  }

  test('the rightmost address that is not a trusted proxy is the client', async () => {
    expect(await proxied(['10.0.0.0/8'], '10.0.0.2', '127.0.0.1')).toBe(200)
    expect(await proxied(['10.0.0.0/8'], '::ffff:10.0.0.2', '203.0.113.7, 127.0.0.1, 10.0.0.9')).toBe(200)
    expect(await proxied(['fd00::/8'], 'fd00::2', '::1')).toBe(200)
    // What the caller wrote itself stands to the left.
    expect(await proxied(['10.0.0.0/8'], '10.0.0.2', '127.0.0.1, 203.0.113.7')).toBe(403)
    expect(await proxied(['10.0.0.0/8'], '192.0.2.1', '127.0.0.1')).toBe(403)
    expect(await proxied(['10.0.0.2'], '10.0.0.3', '127.0.0.1')).toBe(403)
    expect(await proxied(['127.0.0.1'], '127.0.0.1', '203.0.113.7')).toBe(403)
    expect(await proxied(['127.0.0.1'], '127.0.0.1', 'unknown')).toBe(403)
  })

  test('a trusted proxy that does not name its client has no operator rights', async () => {
    const of = await another({}, () => ({ trustedProxies: ['127.0.0.1'] }))
    expect(await statusOf({ of, headers: { ...token, forwarded: 'for=127.0.0.1' } })).toBe(403)
    expect(await statusOf({ of, headers: token })).toBe(200)
  })

  test('limits apply to that address, or to an untrusted proxy’s own', async () => {
    const count = async (trustedProxies: readonly string[]): Promise<number[]> => {
      const of = await another({}, () => ({ trustedProxies, limits: { requestsPerMinute: 1 } }))
      const statuses: number[] = []
      for (const address of ['203.0.113.7', '203.0.113.8', '203.0.113.7'])
        statuses.push(
          await statusOf({
            of,
            body: call('info.peers'),
            path: '/ext/info',
            headers: { 'x-forwarded-for': address },
          }),
        )
      return statuses
    }
    expect(await count(['127.0.0.1'])).toEqual([200, 200, 429])
    expect(await count([])).toEqual([200, 429, 429])
  })

  test.each(['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/x', '0.0.0.0/0', '::/0', '10.0.0.0/8/8'])(
    '%j is none',
    async (address) => {
      await expect(another({}, () => ({ trustedProxies: [address] }))).rejects.toThrow(
        /an address, or a range/,
      )
    },
  )
})
