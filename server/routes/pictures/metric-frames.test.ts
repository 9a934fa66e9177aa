import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const hostile = `<script>alert("1")</script>&'`
const chains = [
  { evmChainId: 401, name: 'Chain 401', rpcUrl: 'http://127.0.0.1:9', blockchainId: 'blockchain401' },
  { evmChainId: 402, name: hostile, rpcUrl: 'http://127.0.0.1:9' },
]
const networks = [
  { id: 'fuji', name: 'Test network', networkId: 5, prefix: 'fuji', nodeUrl: 'http://127.0.0.1:9' },
]
const frameOrigins = ['https://wiki.example', 'https://*.example.org']

let closed: TestService
let open: TestService
beforeAll(async () => {
  closed = await startTestService(undefined, { config: testConfig({ chains, networks }) })
  open = await startTestService(undefined, { config: testConfig({ chains, networks, frameOrigins }) })
})
afterAll(async () => {
  await closed.close()
  await open.close()
})

const directive = (policy: unknown, name: string): string =>
  String(policy)
    .split('; ')
    .find((one) => one.startsWith(`${name} `)) ?? ''

test('may be framed by the listed sites only, while everything else may be framed by none', async () => {
  const path = '/embed/chain/401/metrics/txCount'
  const frame = await open.app.inject(path)
  expect([frame.statusCode, frame.headers['content-type']]).toEqual([200, 'text/html'])
  expect(frame.headers).not.toHaveProperty('x-frame-options')
  expect(directive(frame.headers['content-security-policy'], 'frame-ancestors')).toBe(
    'frame-ancestors https://wiki.example https://*.example.org',
  )
  const unlisted = await closed.app.inject(path)
  expect(directive(unlisted.headers['content-security-policy'], 'frame-ancestors')).toBe(
    "frame-ancestors 'none'",
  )
  for (const other of ['/v1/chains', '/config.json', '/embed/chain/401/metrics/nothing']) {
    const { headers } = await open.app.inject(other)
    expect(headers['x-frame-options'], other).toBe('DENY')
    expect(String(headers['content-security-policy']), other).toContain("frame-ancestors 'none'")
  }
})

test('runs no script, and its policy allows its own picture and style only', async () => {
  const { body, headers } = await open.app.inject('/embed/chain/401/metrics/txCount')
  const policy = String(headers['content-security-policy'])
  const [, style = ''] = /<style>([^<]*)<\/style>/.exec(body) ?? []
  expect(policy.split('; ').slice(0, -1)).toEqual([
    "default-src 'none'",
    "img-src 'self'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ])
  expect(body).not.toMatch(/<script|style="|onload/)
})

test('shows the view of its query in the theme of the reader, and links to its page', async () => {
  const view = 'range=30d&compare=402&mode=stacked'
  const { body } = await open.app.inject(
    `/embed/chain/blockchain401/metrics/txCount?${view}&width=640&height=300`,
  )
  const addresses = [...body.matchAll(/(?:href|src|srcset)="([^"]*)"/g)].map(
    ([, address = '']) => new URL(address.replaceAll('&amp;', '&'), 'http://localhost'),
  )
  expect(addresses.map(({ pathname }) => pathname)).toEqual([
    '/chain/401/metrics/txCount',
    '/embed/chain/401/metrics/txCount.svg',
    '/embed/chain/401/metrics/txCount.svg',
  ])
  for (const { searchParams } of addresses) {
    expect([searchParams.get('range'), searchParams.get('compare'), searchParams.get('mode')]).toEqual([
      '30d',
      '402',
      'stacked',
    ])
  }
  expect(addresses.map(({ searchParams }) => searchParams.get('theme'))).toEqual([null, 'dark', 'light'])
  expect(addresses[2]?.searchParams.get('width')).toBe('640')
  const chosen = await open.app.inject('/embed/chain/401/metrics/txCount?theme=dark')
  expect(chosen.body.match(/theme=\w+/g)).toEqual(['theme=dark'])
})

test('has the name of its chain or network, escaped', async () => {
  const title = async (path: string): Promise<string | undefined> =>
    /<title>(.*)<\/title>/.exec((await open.app.inject(path)).body)?.[1]
  expect(await title('/embed/networks/fuji/metrics/totalStake')).toBe('Total stake · Test network')
  expect(await title('/embed/chain/total/metrics/txCount')).toContain('All chains')
  expect(await title('/embed/chain/402/metrics/txCount')).toContain(
    '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;',
  )
})

test('a reader that has it is told so, and what does not exist is refused', async () => {
  const path = '/embed/chain/401/metrics/txCount'
  const { headers } = await open.app.inject(path)
  const again = await open.app.inject({ url: path, headers: { 'if-none-match': String(headers['etag']) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  for (const [refused, status] of [
    ['/embed/chain/999/metrics/txCount', 404],
    ['/embed/networks/mainnet/metrics/totalStake', 404],
    ['/embed/chain/401/metrics/nothing', 400],
    [`${path}?width=9`, 400],
    [`${path}?theme=%22%3E`, 400],
    [`${path}?compare=%3Cb%3E`, 400],
  ] as const)
    expect((await open.app.inject(refused)).statusCode, refused).toBe(status)
})
