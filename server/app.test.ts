import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../contract/operations.ts'
import { pages } from '../contract/pages.ts'
import { dashboardConfig } from '../contract/profile.ts'
import { seedChain } from './testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { testConfig } from './testing/config.ts'
import { startTestService, type TestService } from './testing/service.ts'

const prometheusKey = 'prometheus-key-0123456789'
const apiKeys = [
  {
    name: 'prometheus',
    sha256: createHash('sha256').update(prometheusKey).digest('hex'),
    privileges: ['prometheus'],
  },
]

let store: TestDatabase
let service: TestService
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-web-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><meta property="og:title" content="Ridgeline" /><title>Ridgeline</title>',
  )
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, '.secret'), 'no')
  await writeFile(join(folder, 'assets', 'app-1a2b.js'), `export const text = '${'x'.repeat(5000)}'`)
  store = await createTestDatabase()
  await seedChain(store.database, { chain: 43113, blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }] })
  service = await startTestService(store.database, {
    config: testConfig({ apiKeys, protectPrometheus: true }),
    webFolder: folder,
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await rm(folder, { recursive: true })
})

const page = { accept: 'text/html,application/xhtml+xml' }

describe('headers', () => {
  test('of an answer', async () => {
    const { headers } = await service.app.inject('/v1/chains')
    const { date, connection: _connection, 'x-request-id': id, ...rest } = headers
    expect(date).toEqual(expect.any(String))
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(rest).toMatchInlineSnapshot(`
      {
        "access-control-allow-origin": "*",
        "access-control-expose-headers": "x-request-id, ratelimit-policy, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-not-indexed",
        "content-length": "211",
        "content-security-policy": "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data: blob: https:;font-src 'self';connect-src 'self' https://data-api.avax.network https://metrics.avax.network https://api.avax.network wss://api.avax.network https://api.avax-test.network wss://api.avax-test.network http://127.0.0.1:* http://localhost:* ws://127.0.0.1:* ws://localhost:*;manifest-src 'self';worker-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
        "content-type": "application/json; charset=utf-8",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "origin-agent-cluster": "?1",
        "ratelimit-limit": "6000",
        "ratelimit-policy": "6000;w=60",
        "ratelimit-remaining": "5999",
        "ratelimit-reset": "60",
        "referrer-policy": "no-referrer",
        "strict-transport-security": "max-age=31536000; includeSubDomains",
        "vary": "Origin",
        "x-content-type-options": "nosniff",
        "x-dns-prefetch-control": "off",
        "x-download-options": "noopen",
        "x-frame-options": "DENY",
        "x-permitted-cross-domain-policies": "none",
        "x-xss-protection": "0",
      }
    `)
  })

  test('of the page', async () => {
    const { headers, body } = await service.app.inject({ url: '/', headers: page })
    expect(body).toContain('<title>Overview · Ridgeline</title>')
    expect(headers['content-type']).toMatch(/^text\/html/)
    expect(headers['cache-control']).toBe('no-cache')
    const policy = String(headers['content-security-policy'])
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval/)
    expect(policy).toContain("frame-ancestors 'none'")
  })

  test('a request id of the caller is not taken over', async () => {
    const { headers } = await service.app.inject({ url: '/health', headers: { 'x-request-id': 'mine' } })
    expect(headers['x-request-id']).not.toBe('mine')
  })
})

describe('CORS', () => {
  const cross = async (
    method: 'GET' | 'POST' | 'OPTIONS',
    url: string,
    more: Record<string, string> = {},
  ) => {
    const { headers } = await service.app.inject({
      method,
      url,
      headers: { origin: 'https://elsewhere.example', ...more },
    })
    return headers
  }

  test('reading is open to every origin, without credentials', async () => {
    const headers = await cross('GET', '/v1/chains')
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    const preflight = await cross('OPTIONS', '/v1/chains', {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-service-api-key',
    })
    expect(preflight['access-control-allow-origin']).toBe('*')
    expect(preflight['access-control-allow-headers']).toContain('x-service-api-key')
  })

  test('everything else is closed', async () => {
    const url = '/v1/signatureAggregator/fuji/aggregateSignatures'
    expect(await cross('POST', url)).not.toHaveProperty('access-control-allow-origin')
    const preflight = await cross('OPTIONS', url, { 'access-control-request-method': 'POST' })
    expect(preflight).not.toHaveProperty('access-control-allow-origin')
  })

  test('origins of the setting may post too, without credentials', async () => {
    const url = '/v1/signatureAggregator/fuji/aggregateSignatures'
    const origin = 'https://explorer.example'
    const own = await startTestService(undefined, { config: testConfig({ allowedOrigins: [`${origin}/`] }) })
    const ask = async (from: string, method: string) =>
      (
        await own.app.inject({
          method: 'OPTIONS',
          url,
          headers: { origin: from, 'access-control-request-method': method },
        })
      ).headers
    const preflight = await ask(origin, 'POST')
    expect(preflight['access-control-allow-origin']).toBe(origin)
    expect(preflight['access-control-allow-methods']).toBe('GET, HEAD, POST')
    expect(preflight).not.toHaveProperty('access-control-allow-credentials')
    expect(preflight['vary']).toContain('Origin')
    const { headers } = await own.app.inject({ method: 'POST', url, headers: { origin } })
    expect(headers['access-control-allow-origin']).toBe(origin)
    for (const [from, method] of [
      ['https://elsewhere.example', 'POST'],
      ['https://explorer.example.evil.example', 'POST'],
      ['null', 'POST'],
      [origin, 'DELETE'],
    ] as const)
      expect(await ask(from, method), `${from} ${method}`).not.toHaveProperty('access-control-allow-origin')
    await own.close()
  })
})

describe('the dashboard', () => {
  test.each(['/', '/chains', '/chains/43113/blocks/12', '/nothing-known'])('%s is the page', async (url) => {
    const response = await service.app.inject({ url, headers: page })
    expect([response.statusCode, response.body]).toEqual([200, expect.stringContaining('<title>')])
  })

  test('files with a hash in their name are kept for ever, and compressed', async () => {
    const response = await service.app.inject({
      url: '/assets/app-1a2b.js',
      headers: { 'accept-encoding': 'br, gzip' },
    })
    expect(response.statusCode).toBe(200)
    expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(response.headers['content-encoding']).toBe('br')
    expect(response.rawPayload.length).toBeLessThan(500)
    expect((await service.app.inject('/favicon.svg')).headers['content-type']).toMatch(/^image\/svg/)
  })

  test('a file is compressed quickly for its first reader, and smaller for those after', async () => {
    const text = Array.from({ length: 2_000 }, (_, index) => `export const n${index} = ${index ** 2}\n`).join(
      '',
    )
    await writeFile(join(folder, 'assets', 'large-3c4d.js'), text)
    const ask = async () => {
      const { rawPayload } = await service.app.inject({
        url: '/assets/large-3c4d.js',
        headers: { 'accept-encoding': 'br' },
      })
      expect(brotliDecompressSync(rawPayload).toString()).toBe(text)
      return rawPayload.length
    }
    const smallest = brotliCompressSync(text).length
    expect(await ask()).toBeGreaterThan(smallest)
    await expect.poll(ask, { timeout: 60_000 }).toBe(smallest)
  })

  test.each([
    '/assets/missing.js',
    '/assets/../.secret',
    '/assets/%2e%2e/.secret',
    '/assets/..%2f.secret',
    '/.secret',
    '/missing.png',
    '/v1/nothing',
    '/v2',
    '/assets/',
  ])('%s is a 404 in the error body', async (url) => {
    const response = await service.app.inject({ url, headers: page })
    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ error: 'Not Found', statusCode: 404 })
  })

  test('a shared link shows the chart of its page, at the address under which the service was reached', async () => {
    const imageOf = async (host: string, other = service): Promise<string | undefined> => {
      const { body } = await other.app.inject({ url: '/chain/43113?range=30d', headers: { host } })
      return /property="og:image" content="([^"]*)"/.exec(body)?.[1]
    }
    const path = '/embed/chain/43113/metrics/txCount.png?range=30d&amp;width=600&amp;height=315&amp;density=2'
    expect(await imageOf('ridge.lan:4400')).toBe(`http://ridge.lan:4400${path}`)
    expect(await imageOf('[::1]:4400')).toBe(`http://[::1]:4400${path}`)
    for (const host of ['a&b', "a'b", 'a;b', '-', 'a:b']) expect(await imageOf(host), host).toBeUndefined()
    const named = await startTestService(undefined, {
      config: testConfig({ publicUrl: 'https://ridgeline.example/' }),
      webFolder: folder,
    })
    expect(await imageOf('ridge.lan', named)).toBe(`https://ridgeline.example${path}`)
    await named.close()
  })

  test('with sign-in, a document tells strangers no name of a chain, network or metric', async () => {
    const file = { proxies: ['10.0.0.9'], roles: { read: ['staff'] } }
    const documentOf = async (signIn: object, url: string): Promise<string> => {
      const other = await startTestService(undefined, { config: testConfig({ signIn }), webFolder: folder })
      const { body } = await other.app.inject({ url, headers: page })
      await other.close()
      return body
    }
    const { body: index } = await service.app.inject({ url: '/nowhere', headers: page })
    for (const url of ['/chain/43113', '/chain/43113/metrics/txCount', '/'])
      expect(await documentOf(file, url)).toBe(index)
    expect(await documentOf({ ...file, anonymous: true }, '/chain/43113')).toContain('Test Chain')
  })

  test('a document is sent again only when it has changed', async () => {
    const { headers } = await service.app.inject('/chains')
    const etag = String(headers['etag'])
    const again = await service.app.inject({ url: '/chains', headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body, again.headers['cache-control']]).toEqual([304, '', 'no-cache'])
    // Another page has another title.
    const other = await service.app.inject({ url: '/', headers: { 'if-none-match': etag } })
    expect(other.statusCode).toBe(200)
  })

  test.each(['/', '/?utm=1', '/chains', '/p/fuji', '/p/fuji/chain/1/block/2'])(
    '%s is the page for every client, whatever it accepts',
    async (url) => {
      for (const method of ['GET', 'HEAD'] as const)
        for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
          const { statusCode, headers: answered, body } = await service.app.inject({ method, url, headers })
          expect([statusCode, answered['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
          expect(body).toContain(method === 'GET' ? '<title>' : '')
        }
    },
  )

  test.each(Object.values(pages).map(({ path }) => path))(
    'the route %s of the dashboard is such a page',
    async (route) => {
      const url = route.replaceAll(/:\w+/g, 'x1')
      const { statusCode } = await service.app.inject({ url, headers: { accept: '*/*' } })
      expect(statusCode).toBe(200)
    },
  )

  test.each(['/nothing-known', '/chain', '/chain/1/block', '/chains/1', '/networks/fuji/nothing', '/node/x'])(
    '%s, which no route has, is a 404 for what is not a browser',
    async (url) => {
      for (const method of ['GET', 'HEAD'] as const)
        expect((await service.app.inject({ method, url, headers: { accept: '*/*' } })).statusCode).toBe(404)
    },
  )
})

describe('errors', () => {
  test.each([
    ['POST', '/v1/chains', 'GET, HEAD'],
    ['DELETE', '/v1/chains/43113/blocks/1', 'GET'],
    ['PUT', '/health', 'GET, HEAD'],
    ['GET', '/v1/signatureAggregator/fuji/aggregateSignatures', 'POST'],
  ] as const)('%s %s is a 405', async (method, url, allow) => {
    const response = await service.app.inject({ method, url })
    expect(response.statusCode).toBe(405)
    expect(response.headers['allow']).toContain(allow)
    expect(response.json()).toMatchObject({ error: 'Method Not Allowed', statusCode: 405 })
  })

  test('a URL that is none is a 400 in the error body', async () => {
    const response = await service.app.inject('/v1/chains/%zz')
    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ message: expect.any(String), error: 'Bad Request', statusCode: 400 })
  })

  test('a database that does not answer is a 503', async () => {
    const broken = store.open({ max: 1 })
    const other = await startTestService(broken)
    await broken.end()
    const response = await other.app.inject('/v1/chains/43113/blocks')
    expect(response.statusCode).toBe(503)
    expect(response.json().message).toContain('database')
    expect((await other.app.inject('/ready')).json().message).toBe('the database does not answer')
    expect((await other.app.inject('/health')).statusCode).toBe(200)
    await other.close()
  })

  test('before the database has started, everything says so and the page is there', async () => {
    const early = await startTestService(undefined, { webFolder: folder })
    const blocks = await early.app.inject('/v1/chains/43113/blocks')
    expect([blocks.statusCode, blocks.json().message]).toEqual([503, 'not ready: the database is starting'])
    expect((await early.app.inject('/ready')).json()).toEqual({
      message: 'the database is starting',
      error: 'Service Unavailable',
      statusCode: 503,
    })
    expect((await early.app.inject({ url: '/', headers: page })).statusCode).toBe(200)
    expect((await early.app.inject('/v1/chains')).statusCode).toBe(200)
    expect((await early.app.inject('/metrics')).statusCode).toBe(200)
    await early.close()
  })
})

describe('readiness', () => {
  const ready = async (now: number, change: string) => {
    await store.database.unsafe(`update chains set ${change} where chain = 43113`)
    service.now = now
    const response = await service.app.inject('/ready')
    return `${response.statusCode} ${[response.json().message ?? response.json().status].flat().join()}`
  }
  const seen = 1_790_000_000

  test.each([
    [seen, `node_block = 20, node_seen_ts = ${seen}, state = 'live'`, '200 ready'],
    [seen, 'node_block = 21', '503 43113 Test Chain: 21 blocks behind the node; 20 are allowed'],
    [seen + 60, 'node_block = 20', '200 ready'],
    [seen + 61, 'node_block = 20', '503 43113 Test Chain: the node has not answered for 61 s'],
    [seen, `state = 'stopped', reason = 'too deep'`, '503 43113 Test Chain: stopped: too deep'],
    [seen, `state = 'live', node_block = null`, '503 43113 Test Chain: the node has not answered yet'],
  ])('at %i with %s: %s', async (now, change, expected) => {
    expect(await ready(now, change)).toBe(expected)
  })

  test('a chain that stopped is UNAVAILABLE in the list, and the others are not', async () => {
    await ready(seen, `state = 'stopped'`)
    expect((await service.app.inject('/v1/chains/43113')).json().status).toBe('UNAVAILABLE')
    await ready(seen, `state = 'live'`)
    expect((await service.app.inject('/v1/chains/43113')).json().status).toBe('OK')
  })

  test('a chain that was never reached is not ready', async () => {
    const config = testConfig({ chains: [{ evmChainId: 5, name: 'New', rpcUrl: 'http://127.0.0.1:9' }] })
    const fresh = await startTestService(store.database, { config })
    expect((await fresh.app.inject('/ready')).json().message).toEqual([
      '5 New: the indexer has not reached the node yet',
    ])
    await fresh.close()
  })
})

describe('documents', () => {
  test('/openapi.json holds every operation with its errors', async () => {
    const document = (await service.app.inject('/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    for (const operation of operations) {
      const described = document.paths[operation.path][operation.method.toLowerCase()]
      expect(described.operationId).toBe(operation.id)
      // Those that any operation may answer; server/routes/statuses.test.ts has the others.
      for (const status of ['401', '403', '429', '500', '503'])
        expect(described.responses).toHaveProperty(status)
    }
  })

  test('/config.json names what each profile has', async () => {
    const response = await service.app.inject('/config.json')
    expect(response.headers['cache-control']).toBe('no-cache')
    const { profiles, defaultProfile } = dashboardConfig.parse(response.json())
    expect([defaultProfile, ...profiles.map((profile) => profile.id)]).toEqual([
      'local',
      'local',
      'mainnet',
      'fuji',
    ])
    expect(profiles.map((profile) => profile.keyHeader)).toEqual([
      'x-service-api-key',
      'x-glacier-api-key',
      'x-glacier-api-key',
    ])
    expect(profiles[0]?.missingOperations).toEqual([])
    const hosted = operations.filter(({ api }) => api !== 'ridgeline').map(({ id }) => id)
    expect(hosted).not.toContain('search')
    expect(profiles[1]?.offeredOperations?.toSorted()).toEqual(hosted.toSorted())
    expect(profiles[0]?.offeredOperations).toBeUndefined()
    expect(profiles[0]?.metrics).toBeUndefined()
    for (const other of profiles.slice(1)) expect(other.metrics).toContain('activeAddresses')
  })

  test('/metrics counts requests by operation', async () => {
    const { body } = await service.app.inject({
      url: '/metrics',
      headers: { 'x-service-api-key': prometheusKey },
    })
    expect(body).toMatch(
      /ridgeline_http_request_seconds_count\{method="GET",route="listChains",status="200"\} \d+/,
    )
    expect(body).toContain('ridgeline_chain_block{chain="43113",kind="indexed"} 0')
  })
})

describe('what a caller may send', () => {
  const poison = [
    '__proto__[admin]=1',
    'constructor.prototype.admin=1',
    '__proto__=1',
    'hasOwnProperty=1',
    'pageSize[$gt]=1',
    `startBlock=${encodeURIComponent('1; drop table blocks')}`,
    `startBlock=${encodeURIComponent("' or 1=1 --")}`,
    `pageToken=${encodeURIComponent("' union select value from service --")}`,
    'pageToken=%00',
    'pageToken=%ed%a0%80',
    'sortOrder=desc%20nulls%20first',
    `x=${'a'.repeat(3000)}`,
  ]
  test.each(poison)('?%s changes nothing and breaks nothing', async (query) => {
    for (const path of [
      '/v1/chains/43113/blocks',
      '/v1/chains/43113/transactions',
      '/v2/chains/43113/metrics/txCount',
    ]) {
      const { statusCode } = await service.app.inject(`${path}?${query}`)
      expect([200, 400]).toContain(statusCode)
    }
    expect(Object.prototype).not.toHaveProperty('admin')
    expect((await service.app.inject('/v1/chains/43113/blocks')).json().blocks).toHaveLength(1)
  })

  test.each(['__proto__', 'constructor', 'toString'])('a chain called %s is none', async (name) => {
    expect([400, 404]).toContain((await service.app.inject(`/v1/chains/${name}`)).statusCode)
    expect([400, 404]).toContain((await service.app.inject(`/v2/chains/43113/metrics/${name}`)).statusCode)
  })
})
