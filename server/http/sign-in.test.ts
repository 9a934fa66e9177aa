import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configFile } from '../kernel/settings/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startPrimaryService } from '../testing/primary-service.ts'
import { testConfig, testToken } from '../testing/config.ts'
import { startTestService, type TestService } from '../testing/service.ts'

// Every address of 127.0.0.0/8 is this machine's, so a connection chooses whose it is.
const proxy = '127.0.0.7'
const elsewhere = '127.0.0.9'
const secret = 'a-secret-of-the-proxy-0123456789-0123'
const apiKeys = [{ name: 'robot', key: 'robot-key-0123456789', privileges: ['watch'] }]
const signIn = {
  proxies: [proxy],
  secret,
  roles: { read: ['staff'], watch: ['validators'], administrate: ['ops'] },
}

let store: TestDatabase
let service: TestService
let port: number

beforeAll(async () => {
  store = await createTestDatabase()
  // The proxy is trusted for addresses too, as in practice.
  const config = { apiKeys, signIn, trustedProxies: [proxy] }
  service = (await startPrimaryService(store.database, config)).service
  await service.app.listen({ port: 0, host: '127.0.0.1' })
  port = (service.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await service.close()
  await store.drop()
})

type Sent = {
  readonly from?: string
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: unknown
}
type Answer = { readonly status: number; readonly body: Record<string, unknown> }

/** Sends a request over a real connection from an address; a header with a list is sent once for each value. */
async function ask({
  from = proxy,
  method = 'GET',
  path = '/v1/session',
  headers = {},
  body,
}: Sent): Promise<Answer> {
  const all = {
    host: 'explorer.example',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  }
  const sent = request({ host: '127.0.0.1', port, localAddress: from, method, path, headers: all })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of answer) text += String(chunk)
  return { status: answer.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> }
}

/** The headers of a proxy that signed somebody in. */
const as = (user: string, groups: string, more: OutgoingHttpHeaders = {}): OutgoingHttpHeaders => ({
  'x-forwarded-for': '203.0.113.5',
  'x-forwarded-user': user,
  'x-forwarded-groups': groups,
  'x-ridgeline-proxy-secret': secret,
  ...more,
})

let fleets = 0
const fleet = (headers: OutgoingHttpHeaders, more: Sent = {}): Promise<Answer> =>
  ask({
    ...more,
    method: 'POST',
    path: '/v1/watch/fleets',
    headers,
    body: { network: 'fuji', name: `Fleet ${(fleets += 1)}` },
  })
const administrate = (headers: OutgoingHttpHeaders): Promise<Answer> =>
  ask({
    method: 'POST',
    path: '/ext/admin',
    headers,
    body: { jsonrpc: '2.0', id: 1, method: 'admin.getLoggerLevel', params: {} },
  })

describe('roles', () => {
  test.each([
    ['ann', 'staff', 'read', [200, 200, 403, 403]],
    ['bob', 'staff,validators', 'watch', [200, 200, 201, 403]],
    ['cid', 'ops', 'administrate', [200, 200, 201, 502]],
    ['dee', 'guests', undefined, [403, 403, 403, 403]],
  ])('%s of %s has the role %s', async (user, groups, role, [chains, alarms, change, node]) => {
    const headers = as(user, groups)
    const { body } = await ask({ headers })
    expect(body).toMatchObject({ isSignInOn: true, user, groups: groups.split(',') })
    expect(body['role']).toBe(role)
    expect(body['mayReadWatch']).toBe(alarms === 200)
    expect(body['mayChangeWatch']).toBe(change === 201)
    expect(body['mayAdministrate']).toBe(node === 502)
    expect((await ask({ path: '/v1/chains', headers })).status).toBe(chains)
    expect((await ask({ path: '/v1/watch/alarms', headers })).status).toBe(alarms)
    expect((await fleet(headers)).status).toBe(change)
    // There is no node: 502 is the answer of a call that was let through.
    expect((await administrate(headers)).status).toBe(node)
  })

  test('a group is a whole name, and names are UTF-8', async () => {
    const headers = as(Buffer.from('Zoë Ünal').toString('latin1'), 'ops-readers, xops , staff')
    expect((await ask({ headers })).body).toMatchObject({ user: 'Zoë Ünal', role: 'read' })
  })

  test('what is missing is named in the refusal', async () => {
    expect((await fleet(as('ann', 'staff'))).body['message']).toContain(
      'your role, read, lacks the privilege "watch"',
    )
    const { body } = await ask({ path: '/v1/chains', headers: as('dee', 'guests') })
    expect(body['message']).toContain('you are signed in as dee, but none of your groups has a role')
  })
})

describe('who is not signed in', () => {
  test('reads nothing, without telling a proxy apart from others', async () => {
    for (const from of [proxy, elsewhere])
      for (const path of ['/v1/chains', '/v1/watch/alarms', '/events', '/openapi.json'])
        expect((await ask({ from, path })).status, path).toBe(401)
    const call = { jsonrpc: '2.0', id: 7, method: 'eth_blockNumber', params: [] }
    expect(await ask({ method: 'POST', path: '/ext/bc/C/rpc', body: call })).toMatchObject({
      status: 401,
      body: { id: 7, error: { message: expect.stringContaining('you are not signed in') } },
    })
    expect((await ask({ path: '/health' })).status).toBe(200)
  })

  test('may have a key, or the local token on this machine', async () => {
    const key = { 'x-service-api-key': 'robot-key-0123456789' }
    expect((await ask({ from: elsewhere, path: '/v1/chains', headers: key })).status).toBe(200)
    const token = { 'x-ridgeline-token': testToken, host: 'localhost' }
    expect((await ask({ from: elsewhere, path: '/v1/chains', headers: token })).status).toBe(200)
  })

  test('a key counts before the user', async () => {
    const headers = as('cid', 'ops', { 'x-service-api-key': 'robot-key-0123456789' })
    expect((await ask({ headers })).body).toMatchObject({ mayChangeWatch: true, mayAdministrate: false })
    expect((await ask({ headers })).body).not.toHaveProperty('user')
  })
})

describe('a name that did not come from the proxy', () => {
  test('is ignored and logged once a minute for each address', async () => {
    const before = service.log().length
    for (let count = 0; count < 3; count += 1)
      expect((await ask({ from: elsewhere, headers: as('cid', 'ops') })).body).not.toHaveProperty('user')
    const lines = service
      .log()
      .slice(before)
      .split('\n')
      .filter((line) => line.includes('names a user'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ address: elsewhere, level: 40 })
    expect(lines[0]).not.toContain('cid')
    expect(lines[0]).not.toContain(secret)
    service.now += 61
    await ask({ from: elsewhere, headers: as('cid', 'ops') })
    expect(
      service
        .log()
        .slice(before)
        .match(/names a user/g),
    ).toHaveLength(2)
  })

  test.each([
    ['the proxy’s own', proxy],
    ['a chain that ends with it', `203.0.113.5, ${proxy}`],
    ['a chain that begins with it', `${proxy}, 203.0.113.5`],
    ['two of them', `${proxy}, ${proxy}`],
  ])('is ignored although X-Forwarded-For has %s', async (_what, chain) => {
    const headers = as('cid', 'ops', {
      'x-forwarded-for': chain,
      'x-real-ip': proxy,
      forwarded: `for=${proxy}`,
    })
    expect((await ask({ from: elsewhere, path: '/v1/chains', headers })).status).toBe(401)
    expect((await administrate({ ...headers, 'x-ridgeline-proxy-secret': '' })).status).toBe(401)
  })

  test('is ignored from the proxy’s address without its secret, or with another', async () => {
    for (const given of [undefined, '', `${secret}x`, secret.slice(1), `${secret}, ${secret}`]) {
      const headers = as('cid', 'ops', { 'x-ridgeline-proxy-secret': given })
      if (given === undefined) delete headers['x-ridgeline-proxy-secret']
      expect((await ask({ path: '/v1/chains', headers })).status, given).toBe(401)
    }
    const twice = as('cid', 'ops', { 'x-ridgeline-proxy-secret': ['guess', secret] })
    expect((await ask({ path: '/v1/chains', headers: twice })).status).toBe(401)
  })

  test.each(['x-forwarded-user', 'x-forwarded-groups', 'X-Forwarded-User'])(
    'refuses a request in which the proxy left the client’s %s beside its own',
    async (name) => {
      const headers = as('ann', 'staff')
      delete headers[name.toLowerCase()]
      headers[name] = ['cid', 'ann']
      const { status, body } = await ask({ path: '/v1/chains', headers })
      expect(status).toBe(400)
      expect(body['message']).toContain('given twice')
    },
  )

  test('is not taken from similar headers', async () => {
    const headers = { 'x-ridgeline-proxy-secret': secret, x_forwarded_user: 'cid', 'remote-user': 'cid' }
    expect((await ask({ path: '/v1/chains', headers })).status).toBe(401)
  })

  test('an empty name, or groups alone, is nobody', async () => {
    expect((await ask({ path: '/v1/chains', headers: as('', 'ops') })).status).toBe(401)
    const headers = { 'x-forwarded-groups': 'ops', 'x-ridgeline-proxy-secret': secret }
    expect((await ask({ path: '/v1/chains', headers })).status).toBe(401)
  })
})

describe('a page of another site', () => {
  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://evil.explorer.example' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('changes nothing with the cookie of a user: %o', async (more) => {
    expect((await fleet(as('bob', 'validators', more))).status).toBe(403)
    expect((await administrate(as('cid', 'ops', more))).status).toBe(403)
  })

  test('our own page changes what its user may', async () => {
    const more = { origin: 'https://explorer.example', 'sec-fetch-site': 'same-origin' }
    expect((await fleet(as('bob', 'validators', more))).status).toBe(201)
  })
})

test('no shared cache keeps what users read', async () => {
  const url = '/embed/chain/43113/metrics/txCount'
  const answer = await service.app.inject({ url, remoteAddress: proxy, headers: as('ann', 'staff') })
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'private, no-cache'])
})

test('limits and logs are the user’s', async () => {
  const remaining = async (user: string): Promise<number> => {
    const sent = request({
      host: '127.0.0.1',
      port,
      localAddress: proxy,
      path: '/v1/chains',
      headers: { host: 'explorer.example', ...as(user, 'staff') },
    })
    sent.end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return Number(answer.headers['ratelimit-remaining'])
  }
  const first = await remaining('eve')
  expect(await remaining('eve')).toBe(first - 1)
  expect(await remaining('fay')).toBe(first)
})

describe('settings', () => {
  const read = (value: unknown) => configFile.safeParse({ chains: testConfig().chains, signIn: value })

  test('off by default: the header means nothing', async () => {
    expect(testConfig().signIn).toBeUndefined()
    const plain = await startTestService(store.database)
    const answer = await plain.app.inject({ url: '/v1/session', headers: as('cid', 'ops') })
    expect(answer.json()).toMatchObject({ isSignInOn: false, mayAdministrate: false })
    expect(answer.json()).not.toHaveProperty('user')
    expect((await plain.app.inject('/v1/chains')).statusCode).toBe(200)
    await plain.close()
  })

  test('anonymous readers can be let in', async () => {
    const config = testConfig({ signIn: { ...signIn, anonymous: true } })
    const plain = await startTestService(store.database, { config })
    const remoteAddress = '203.0.113.5'
    expect((await plain.app.inject({ url: '/v1/chains', remoteAddress })).statusCode).toBe(200)
    expect((await plain.app.inject({ url: '/v1/watch/alarms', remoteAddress })).statusCode).toBe(401)
    await plain.close()
  })

  test.each([
    [{}, 'proxies'],
    [{ proxies: ['127.0.0.1'] }, 'a secret'],
    [{ proxies: ['::1'] }, 'a secret'],
    [{ proxies: ['126.0.0.0/7'] }, 'a secret'],
    [{ proxies: ['0.0.0.0/0'] }, 'an address'],
    [{ proxies: ['10.0.0.1'], secret: 'short' }, '32 to 256'],
    [{ proxies: ['10.0.0.1'], userHeader: 'x-forwarded-for' }, 'a header'],
    [{ proxies: ['10.0.0.1'], userHeader: 'cookie' }, 'a header'],
    [{ proxies: ['10.0.0.1'], userHeader: 'x-service-api-key' }, 'a header'],
    [{ proxies: ['10.0.0.1'], groupsHeader: 'X-Forwarded-User' }, 'two different headers'],
  ])('%o is refused', (value, problem) => {
    const { error } = read(value)
    expect(JSON.stringify(error?.issues)).toContain(problem)
  })

  test('a proxy on another machine needs no secret, and a range no more than its size', () => {
    expect(read({ proxies: ['10.1.0.0/16', 'fd00::/8'], userHeader: 'Remote-User' }).success).toBe(true)
  })
})
