import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { call, startTestGateway, type TestGateway } from '../gateway/testing/gateway.ts'
import {
  adapt,
  exampleOf,
  findProgram,
  freePort,
  makeCertificate,
  startHaproxy,
  startNginx,
  type Certificate,
  type Proxy,
} from '../testing/proxies.ts'
import { testToken } from '../testing/config.ts'

const host = 'explorer.example'
const token = { 'x-ridgeline-token': testToken }
const programs = { nginx: findProgram('nginx'), haproxy: findProgram('haproxy') }
for (const [name, path] of Object.entries(programs))
  if (path === undefined)
    // oxlint-disable-next-line no-console -- says in one line what was not tested
    console.info(`${name} is not installed: its examples in docs/ are not tested`)

let certificate: Certificate
const cleanups: (() => unknown)[] = []
beforeAll(() => {
  if (programs.nginx !== undefined || programs.haproxy !== undefined) certificate = makeCertificate()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})
afterAll(() => certificate?.remove())

type Sent = {
  readonly path: string
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** The client's address on this machine. */
  readonly from?: string
}

/** Sends one request, over TLS with `secure`; resolves when the headers of the answer have arrived. */
async function send(port: number, secure: boolean, sent: Sent): Promise<IncomingMessage> {
  const { path, body, headers = {}, from = '127.0.0.1' } = sent
  const options = {
    host: '127.0.0.1',
    port,
    path,
    localAddress: from,
    agent: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, 'content-type': 'application/json', ...headers },
  } as const
  const outgoing = secure
    ? httpsRequest({ ...options, ca: certificate.authority, servername: host })
    : httpRequest(options)
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return answer
}

const statusOf = async (port: number, secure: boolean, sent: Sent): Promise<number> => {
  const answer = await send(port, secure, sent)
  answer.resume()
  await once(answer, 'end')
  return answer.statusCode ?? 0
}

const alias = { path: '/ext/admin', body: call('admin.alias', { endpoint: 'bc/X', alias: 'mine' }) }

async function startService(file: Record<string, unknown> = {}): Promise<TestGateway & { port: number }> {
  const gateway = await startTestGateway({ namespaces: ['personal'] }, () => file)
  cleanups.push(() => gateway.close())
  return Object.assign(gateway, { port: Number(new URL(gateway.url).port) })
}

describe.skipIf(programs.nginx === undefined)('a proxy_pass of nginx without any header', () => {
  test.each([
    ['not trusted', []],
    ['trusted', ['127.0.0.1']],
  ])('%s, opens neither administration nor keys of the node', async (_name, trustedProxies) => {
    const { port, node } = await startService({ trustedProxies })
    const front = await freePort()
    const server = `server { listen 127.0.0.1:${front}; location / { proxy_pass http://127.0.0.1:${port}; } }`
    const proxy = await startNginx(programs.nginx ?? '', certificate.folder, server, front)
    cleanups.push(() => proxy.stop())
    expect(await statusOf(front, false, alias)).toBe(401)
    const sign = { path: '/ext/bc/C/rpc', body: call('eth_sign', ['0x', '0x']) }
    expect(await statusOf(front, false, sign)).toBe(401)
    // Headers that the client adds itself do not help it.
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded'])
      expect(await statusOf(front, false, { ...alias, headers: { [name]: '127.0.0.1' } })).toBeGreaterThan(
        400,
      )
    expect(node.asked).toEqual([])
  })
})

type Started = { readonly proxy: Proxy; readonly plain: number; readonly secure: number }

async function startExampleOfNginx(
  servicePort: number,
  changes: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const [plain, secure] = [await freePort(), await freePort()]
  const text = adapt(exampleOf('reverse-proxy.md', 'nginx'), {
    'listen 80;': `listen 127.0.0.1:${plain};`,
    'listen 443 ': `listen 127.0.0.1:${secure} `,
    '127.0.0.1:4400': `127.0.0.1:${servicePort}`,
    '/etc/ssl/explorer.example/fullchain.pem': certificate.certificate,
    '/etc/ssl/explorer.example/privkey.pem': certificate.key,
    ...changes,
  })
  return { plain, secure, proxy: await startNginx(programs.nginx ?? '', certificate.folder, text, secure) }
}

async function startExampleOfHaproxy(servicePort: number): Promise<Started> {
  const [plain, secure] = [await freePort(), await freePort()]
  const text = adapt(exampleOf('reverse-proxy.md', 'haproxy'), {
    'bind :80': `bind 127.0.0.1:${plain}`,
    'bind :443': `bind 127.0.0.1:${secure}`,
    '127.0.0.1:4400': `127.0.0.1:${servicePort}`,
    '/etc/ssl/explorer.example/haproxy.pem': certificate.both,
  })
  return {
    plain,
    secure,
    proxy: await startHaproxy(programs.haproxy ?? '', certificate.folder, text, secure),
  }
}

const examples = [
  ['nginx', startExampleOfNginx],
  ['haproxy', startExampleOfHaproxy],
] as const

describe.each(examples)('the example of %s in docs/reverse-proxy.md', (name, startExample) => {
  const behind = async (file: Record<string, unknown> = {}): Promise<TestGateway & Started> => {
    const service = await startService({ trustedProxies: ['127.0.0.1'], ...file })
    const started = await startExample(service.port)
    cleanups.push(() => started.proxy.stop())
    return Object.assign(service, started)
  }
  const it = test.skipIf(programs[name] === undefined)

  it('redirects plain HTTP to TLS, and keeps administration closed', async () => {
    const { plain, secure, node } = await behind()
    const moved = await send(plain, false, { path: '/node?tab=rpc' })
    moved.resume()
    expect(moved.headers.location).toBe(`https://${host}/node?tab=rpc`)
    expect(await statusOf(secure, true, { path: '/health' })).toBe(200)
    expect(await statusOf(secure, true, alias)).toBe(403)
    const claims = { ...token, 'x-forwarded-for': '127.0.0.1' }
    expect(await statusOf(secure, true, { ...alias, headers: claims })).toBe(403)
    expect(node.asked).toEqual([])
  })

  it('applies limits to clients, whatever headers they send', async () => {
    const { secure, service } = await behind({ limits: { requestsPerMinute: 2 } })
    const asked = (from: string, headers: Record<string, string> = {}): Promise<number> =>
      statusOf(secure, true, { path: '/ext/info', body: call('info.peers'), from, headers })
    expect([await asked('127.0.0.2'), await asked('127.0.0.2')]).toEqual([200, 200])
    expect(await asked('127.0.0.2')).toBe(429)
    expect(await asked('127.0.0.2', { 'x-forwarded-for': '203.0.113.9' })).toBe(429)
    expect(await asked('127.0.0.3')).toBe(200)
    expect(service.log()).not.toContain('203.0.113.9')
  })

  it('passes events on as they arrive', async () => {
    const { secure, service } = await behind()
    const answer = await send(secure, true, { path: '/events' })
    cleanups.push(() => answer.destroy())
    expect(answer.headers['content-type']).toContain('text/event-stream')
    let text = ''
    const until = async (word: string): Promise<void> => {
      while (!text.includes(word)) text += String((await once(answer, 'data'))[0])
    }
    await until('retry: ')
    const hash = `0x${'7'.repeat(64)}`
    service.live.receive(JSON.stringify({ kind: 'head', chain: 43113, number: 77, hash, ts: 1, txs: 0 }))
    await until(hash)
  })

  it('passes on websockets of its own pages only', async () => {
    const { secure, node } = await behind()
    const connect = (origin: string): WebSocket => {
      const options = { ca: certificate.authority, servername: host, headers: { host, origin } }
      const socket = new WebSocket(`wss://127.0.0.1:${secure}/ext/bc/C/ws`, [], options)
      cleanups.push(() => socket.terminate())
      return socket
    }
    const socket = connect(`https://${host}`)
    await once(socket, 'open')
    const next = async (): Promise<unknown> => JSON.parse(String((await once(socket, 'message'))[0]))
    socket.send(JSON.stringify(call('eth_subscribe', ['newHeads'])))
    expect(await next()).toMatchObject({ id: 1, result: expect.stringMatching(/^0x/) })
    node.announce(['newHeads'], { number: '0x4d' })
    expect(await next()).toMatchObject({ params: { result: { number: '0x4d' } } })
    const other = connect('https://evil.example')
    other.on('error', () => undefined)
    const [, refusal] = (await once(other, 'unexpected-response')) as [unknown, IncomingMessage]
    expect(refusal.statusCode).toBe(403)
  })
})

test('ops/nginx/ridgeline.conf is the example', () => {
  const file = new URL('../../ops/nginx/ridgeline.conf', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(exampleOf('reverse-proxy.md', 'nginx'))
})

describe.skipIf(programs.nginx === undefined)('nginx', () => {
  test('refuses a flood of one address alone', async () => {
    const { port } = await startService({ trustedProxies: ['127.0.0.1'] })
    // With a smaller burst a few requests are a flood.
    const { proxy, secure } = await startExampleOfNginx(port, {
      'burst=200': 'burst=3',
      'rate=50r/s': 'rate=1r/m',
    })
    cleanups.push(() => proxy.stop())
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1)
      statuses.push(await statusOf(secure, true, { path: '/health', from: '127.0.0.4' }))
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect(await statusOf(secure, true, { path: '/health', from: '127.0.0.5' })).toBe(200)
  })

  test('with the example of docs/sign-in.md names the user, and lets nobody choose one', async () => {
    const secret = 'a-secret-of-the-proxy-0123456789-0123'
    const roles = { read: ['staff'], administrate: ['ops'] }
    const { port } = await startService({ signIn: { proxies: ['127.0.0.1'], secret, roles } })
    // Answers as the documentation of oauth2-proxy says of /oauth2/auth with --set-xauthrequest.
    const authority = createServer((request, response) => {
      const [user, groups = ''] = (/session=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '').split(':')
      if (request.url !== '/oauth2/auth' || user === '') return response.writeHead(401).end()
      response.setHeader('x-auth-request-user', user ?? '')
      if (groups !== '') response.setHeader('x-auth-request-groups', groups)
      return response.writeHead(202).end()
    }).listen(0, '127.0.0.1')
    await once(authority, 'listening')
    cleanups.push(() => authority.close())
    const snippet = adapt(exampleOf('sign-in.md', 'nginx'), {
      '127.0.0.1:4180': `127.0.0.1:${(authority.address() as AddressInfo).port}`,
      'the secret of signIn': secret,
    })
    const { proxy, secure } = await startExampleOfNginx(port, {
      '  location / {\n    proxy_pass': `${snippet}\n  location / {\n    proxy_pass`,
    })
    cleanups.push(() => proxy.stop())
    const session = async (headers: Record<string, string>): Promise<unknown> => {
      const answer = await send(secure, true, { path: '/v1/session', headers })
      return JSON.parse(String(await new Response(Readable.toWeb(answer) as ReadableStream).text()))
    }
    expect(await session({ cookie: 'session=ann:staff' })).toMatchObject({ user: 'ann', role: 'read' })
    expect(await session({ cookie: 'session=cid:ops' })).toMatchObject({ mayAdministrate: true })
    const claims = {
      'x-forwarded-user': 'cid',
      'x-forwarded-groups': 'ops',
      x_forwarded_groups: 'ops',
      'x-auth-request-groups': 'ops',
      'x-ridgeline-proxy-secret': secret,
    }
    expect(await session({ cookie: 'session=ann:staff', ...claims })).toMatchObject({ groups: ['staff'] })
    const without = await session({ cookie: 'session=ann', ...claims })
    expect(without).toMatchObject({ user: 'ann', groups: [], mayAdministrate: false })
    // Nobody is signed in: a request is refused, and a page leads to the sign-in.
    expect(await statusOf(secure, true, { path: '/v1/session', headers: claims })).toBe(401)
    const page = await send(secure, true, { path: '/blocks?x=1', headers: { 'sec-fetch-mode': 'navigate' } })
    page.resume()
    expect([page.statusCode, page.headers.location]).toEqual([
      302,
      expect.stringMatching(/\/oauth2\/start\?rd=\/blocks\?x=1$/),
    ])
    // Past the proxy, from its own machine.
    const direct = { ...claims, 'x-ridgeline-proxy-secret': 'guess' }
    expect(await statusOf(port, false, { path: '/v1/chains', headers: direct })).toBe(401)
  })
})
