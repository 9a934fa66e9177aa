import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../contract/base/operation.ts'
import { nodeEndpoints, nodeMethods } from '../../contract/node/node-methods.ts'
import { operations } from '../../contract/operations.ts'
import { asOperator, testConfig } from '../testing/config.ts'
import { routePath } from './bind.ts'
import { startTestService, type TestService } from '../testing/service.ts'

/**
 * Every route by who may use it, against one table that knows nothing of the service's own. Requests are refused
 * before anything of them is read: so a request without parameters shows who may pass, by a status that is neither 401
 * nor 403.
 */

/** The operations that are not open to everybody; all others are. */
const guarded: Readonly<Record<string, Surface>> = {
  runSql: 'sql',
  listSqlTables: 'sql',
  proveMetric: 'sql',
  proveNetworkMetric: 'sql',
  getWatchSummary: 'readWatch',
  listWatchStates: 'readWatch',
  listWatchAlarms: 'readWatch',
  listWatchDeliveries: 'readWatch',
  listWatchSilences: 'readWatch',
  listWatchChannels: 'readWatch',
  listWatchRules: 'readWatch',
  getWatchRule: 'readWatch',
  listWatchFleets: 'readWatch',
  getWatchFleet: 'readWatch',
  exportWatchFleet: 'readWatch',
  listWatchChanges: 'readWatch',
  dryRunWatchRule: 'readWatch',
  createWatchChannel: 'changeWatch',
  updateWatchChannel: 'changeWatch',
  deleteWatchChannel: 'changeWatch',
  testWatchChannel: 'changeWatch',
  createWatchFleet: 'changeWatch',
  updateWatchFleet: 'changeWatch',
  deleteWatchFleet: 'changeWatch',
  importWatchFleet: 'changeWatch',
  addWatchMembers: 'changeWatch',
  removeWatchMembers: 'changeWatch',
  createWatchRule: 'changeWatch',
  updateWatchRule: 'changeWatch',
  deleteWatchRule: 'changeWatch',
  createWatchSilence: 'changeWatch',
  endWatchSilence: 'changeWatch',
  retryWatchDelivery: 'changeWatch',
  setAddressLabel: 'label',
}
/** What no caller without a proof may do although it is not an operation of the contract. */
const guardedPaths: readonly (readonly [string, Surface])[] = [
  ['/metrics', 'prometheus'],
  ['/metrics/validators', 'prometheus'],
]
/** The doors through which tools give sources of contracts; that of Etherscan tells a refusal in an answer with 200. */
const sources = [
  `/sourcify/v2/verify/43113/0x${'11'.repeat(20)}`,
  `/sourcify/v2/verify/metadata/43113/0x${'11'.repeat(20)}`,
]
const etherscan = '/api/43113?module=contract&action=verifysourcecode'
/** What changes nothing that people keep: it asks again for public data, at most once an hour for each token. */
const openPosts = new Set([
  'reindexNft',
  'aggregateSignatures',
  'decodeWarpMessage',
  'callContract',
  'readContract',
  'simulateCall',
])

type Surface = 'sql' | 'readWatch' | 'changeWatch' | 'label' | 'verify' | 'prometheus' | 'administration'
type Passes = Readonly<Record<Surface, true | 401 | 403>>

const passesOf = (pass: true | 401 | 403): Passes => ({
  sql: pass,
  readWatch: pass,
  changeWatch: pass,
  label: pass,
  verify: pass,
  prometheus: pass,
  administration: pass,
})
const none = passesOf(401)
const all = passesOf(true)
const lacking = passesOf(403)

const key = (name: string): string => `key-of-${name}-0123456789abcdef`
const remote = '192.0.2.7'
const proxy = '10.0.0.9'
const byKey = (name: string) => ({ from: remote, headers: { 'x-service-api-key': key(name) } })
const byRole = (group: string) => ({
  from: proxy,
  headers: {
    'remote-user': 'ann',
    'remote-groups': group,
    'x-forwarded-for': remote,
    host: 'ridgeline.example',
  },
})

type Caller = { readonly from: string; readonly headers: Readonly<Record<string, string>> }
const callers: Readonly<Record<string, readonly [Caller, Passes]>> = {
  'a stranger': [{ from: remote, headers: {} }, none],
  'somebody on this machine': [{ from: '127.0.0.1', headers: { host: 'localhost' } }, none],
  'a stranger behind a plain proxy': [{ from: '127.0.0.1', headers: { host: '127.0.0.1:4400' } }, none],
  'a stranger behind a proxy that says so': [
    { from: '127.0.0.1', headers: { host: 'localhost', 'x-forwarded-for': remote } },
    none,
  ],
  'the operator, by the token': [{ from: '127.0.0.1', headers: asOperator }, all],
  'another token': [
    {
      from: '127.0.0.1',
      headers: { ...asOperator, 'x-ridgeline-token': `${asOperator['x-ridgeline-token']}x` },
    },
    none,
  ],
  'the token from another machine': [{ from: remote, headers: asOperator }, lacking],
  'the token from a page of another site': [
    { from: '127.0.0.1', headers: { ...asOperator, origin: 'https://evil.example' } },
    lacking,
  ],
  'an unknown key': [byKey('nobody'), none],
  'a key': [byKey('plain'), lacking],
  'a key on this machine': [
    { from: '127.0.0.1', headers: { host: 'localhost', 'x-service-api-key': key('plain') } },
    lacking,
  ],
  'a key with sql': [byKey('sql'), { ...lacking, sql: true }],
  'a key with watch': [byKey('watch'), { ...lacking, readWatch: true, changeWatch: true }],
  'a key that verifies': [byKey('verify'), { ...lacking, label: true, verify: true }],
  'a key with prometheus': [byKey('prometheus'), { ...lacking, prometheus: true }],
  'a key with administration': [byKey('administration'), { ...all, prometheus: 403 }],
  'a user without a role': [byRole('nobody'), lacking],
  'a user who reads': [byRole('staff'), { ...lacking, readWatch: true }],
  'a user who watches': [byRole('watchers'), { ...lacking, readWatch: true, changeWatch: true }],
  'a user who administrates': [byRole('ops'), all],
}

let service: TestService
beforeAll(async () => {
  service = await startTestService(undefined, {
    config: testConfig({
      protectPrometheus: true,
      networks: [{ id: 'fuji', name: 'Sample', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' }],
      chains: [{ evmChainId: 43113, name: 'C', network: 'fuji', rpcUrl: 'http://127.0.0.1:9/ext/bc/C/rpc' }],
      limits: { requestsPerMinute: 1_000_000, keyRequestsPerMinute: 1_000_000 },
      apiKeys: [
        { name: 'plain', key: key('plain') },
        ...(['sql', 'watch', 'verify', 'prometheus', 'administration'] as const).map((name) => ({
          name,
          key: key(name),
          privileges: [name],
        })),
      ],
      gateway: { administration: 'loopback', namespaces: ['debug', 'txpool', 'personal'] },
      signIn: {
        proxies: [proxy],
        userHeader: 'remote-user',
        groupsHeader: 'remote-groups',
        anonymous: true,
        roles: { read: ['staff'], watch: ['watchers'], administrate: ['ops'] },
      },
    }),
  })
})
afterAll(() => service?.close())

const ask = ({ from, headers }: Caller, method: 'GET' | 'POST', url: string, payload?: object | string) =>
  service.app.inject({
    method,
    url,
    remoteAddress: from,
    headers: {
      host: 'ridgeline.example',
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { payload }),
  })

const statusOf = async (...request: Parameters<typeof ask>): Promise<number> =>
  (await ask(...request)).statusCode

/** A body that is refused with a 400 by whoever reads it. */
const unreadable = '{'

const passed = (status: number): true | number => (status === 401 || status === 403 ? status : true)
const filled = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, 'x')

test('the table names operations of the contract, and every operation that changes something', () => {
  const ids = new Set(operations.map(({ id }) => id))
  expect(Object.keys(guarded).filter((id) => !ids.has(id))).toEqual([])
  const changing = operations.filter(({ id, method }) => method === 'POST' && !(id in guarded))
  expect(changing.map(({ id }) => id).filter((id) => !openPosts.has(id))).toEqual([])
  // Whatever is below the watch is guarded but the feed, whose path is its key.
  const watch = operations.filter(({ path, id }) => path.startsWith('/v1/watch/') && !(id in guarded))
  expect(watch.map(({ id }) => id)).toEqual(['getWatchFeed'])
})

/** The paths of the router's tree that take more than GET, with {} for each parameter. */
function changingPaths(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? []
    above.splice(indent.length / 4, Infinity, part)
    return /POST|PUT|PATCH|DELETE/.test(methods) ? [plainPath(above.join(''))] : []
  })
}
const plainPath = (pattern: string): string =>
  pattern
    .replaceAll(/\(\^[^)]*\)/g, '')
    .replaceAll(/\/:\w+(\|:\w+)*/g, '/{}')
    .replaceAll('::', ':')

test('whatever takes more than GET is an operation, or named here', () => {
  const known = new Set(operations.map(({ path }) => plainPath(routePath(path))))
  const others = changingPaths(service.app.printRoutes({ commonPrefix: false })).filter(
    (path) => !known.has(path),
  )
  expect(others.toSorted()).toEqual([
    '/api',
    '/api/{}',
    // It asks operations in the name of its caller.
    '/mcp',
    '/sourcify/v2/verify/metadata/{}/{}',
    '/sourcify/v2/verify/{}/{}',
    // That of an operation which is open.
    '/v1/signatureAggregator/{}/aggregateSignatures:stream',
  ])
})

describe.each(Object.entries(callers))('%s', (name, [caller, passes]) => {
  const isRefusedEverywhere =
    name === 'an unknown key' ? 401 : name === 'a user without a role' ? 403 : undefined

  test('passes in every operation of the contract as the table says', async () => {
    const wrong: string[] = []
    for (const operation of operations) {
      const status = passed(
        await statusOf(
          caller,
          operation.method,
          filled(operation),
          operation.method === 'POST' ? unreadable : undefined,
        ),
      )
      const surface = guarded[operation.id]
      const isFeed = operation.id === 'getWatchFeed' || operation.id === 'getSession'
      const open = name === 'a user without a role' && isFeed ? true : (isRefusedEverywhere ?? true)
      const expected = surface === undefined ? open : (isRefusedEverywhere ?? passes[surface])
      if (status !== expected) wrong.push(`${operation.id}: ${status}, not ${expected}`)
    }
    expect(wrong).toEqual([])
  })

  test('passes in the figures of Prometheus, and in what is open without an operation', async () => {
    for (const [path, surface] of guardedPaths)
      expect([path, passed(await statusOf(caller, 'GET', path))]).toEqual([path, passes[surface]])
    for (const path of ['/health', '/ready', '/config.json', '/'])
      expect([path, passed(await statusOf(caller, 'GET', path))]).toEqual([path, true])
  })

  test('passes in the doors for sources of contracts', async () => {
    const expected = isRefusedEverywhere ?? passes.verify
    for (const path of sources)
      expect([path, passed(await statusOf(caller, 'POST', path, unreadable))]).toEqual([path, expected])
    const answer = await ask(caller, 'POST', etherscan, {})
    const isRefused = answer.statusCode !== 200 || /privilege "verify"/.test(answer.json().result)
    expect(isRefused, answer.body).toBe(expected !== true)
  })

  test('passes in the privileged methods of the gateway', async () => {
    const wrong: string[] = []
    const closed = nodeMethods.filter(({ closedBy, isSocketOnly }) => closedBy !== undefined && !isSocketOnly)
    for (const { method, endpoint, params } of closed) {
      const path = nodeEndpoints[endpoint].path.replace('{chain}', 'C').replace('{index}', 'P/block')
      const call = { jsonrpc: '2.0', id: 1, method, params }
      const status = passed(await statusOf(caller, 'POST', path, call))
      const expected = isRefusedEverywhere ?? passes.administration
      if (status !== expected) wrong.push(`${path} ${method}: ${status}, not ${expected}`)
    }
    expect(closed.length).toBeGreaterThan(10)
    expect(wrong.slice(0, 5)).toEqual([])
  })
})

test('what the configuration opens is open to everybody, and what it turns off to nobody', async () => {
  const stranger = { from: remote, headers: {} }
  const open = await startTestService(undefined, {
    config: testConfig({ sql: { public: true }, watch: { publicRead: true } }),
  })
  const off = await startTestService(undefined, {
    config: testConfig({ sql: { enabled: false, public: true }, verification: { who: 'off' } }),
  })
  const published = await startTestService(undefined, {
    config: testConfig({ publicUrl: 'https://ridgeline.example' }),
  })
  try {
    const ask = async (of: TestService, caller: Caller, url: string, method: 'GET' | 'POST' = 'GET') =>
      passed(
        (
          await of.app.inject({
            method,
            url,
            remoteAddress: caller.from,
            headers: { host: 'x', ...caller.headers },
            ...(method === 'POST' && { payload: {} }),
          })
        ).statusCode,
      )
    expect(await ask(open, stranger, '/v1/sql', 'POST')).toBe(true)
    expect(await ask(open, stranger, '/v1/watch/fleets')).toBe(true)
    expect(await ask(open, stranger, '/v1/watch/fleets', 'POST')).toBe(401)
    expect(await ask(open, stranger, '/metrics')).toBe(true)
    const operator = { from: '127.0.0.1', headers: asOperator }
    expect(await ask(off, operator, '/v1/sql', 'POST')).toBe(403)
    for (const door of sources) {
      expect(await ask(open, stranger, door, 'POST')).toBe(true)
      expect(await ask(published, stranger, door, 'POST')).toBe(401)
      expect(await ask(published, operator, door, 'POST')).toBe(true)
      expect(await ask(off, operator, door, 'POST')).toBe(403)
    }
  } finally {
    await published.close()
    await open.close()
    await off.close()
  }
})
