import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createGuardedFetch, FetchFailure, isPublicAddress, type Resolved } from './guarded-fetch.ts'

/** A server that must only be reached through the operator's mapped names. */
let server: Server
let port: number
let asked: { host: string; path: string; headers: IncomingMessage['headers'] }[] = []
const pages = new Map<string, (response: ServerResponse) => void>()

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ host: request.headers.host ?? '', path, headers: request.headers })
    const page = pages.get(path)
    if (page) page(response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"secret":true}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
afterEach(() => {
  asked = []
  pages.clear()
})

const json = (type: string): boolean => type === 'application/json'

/** A resolver for the test's names that counts the lookups of each. */
function names(table: Record<string, readonly (readonly string[])[]>) {
  const counts = new Map<string, number>()
  return {
    counts,
    resolve: async (host: string): Promise<readonly Resolved[]> => {
      const count = counts.get(host) ?? 0
      counts.set(host, count + 1)
      const answers = table[host]
      const answer = answers?.[Math.min(count, answers.length - 1)]
      if (!answer) throw new Error('ENOTFOUND')
      return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    },
  }
}

type Options = Partial<Parameters<typeof createGuardedFetch>[0]> & { maxBytes?: number; signal?: AbortSignal }

async function get(address: string, options: Options = {}): Promise<string> {
  const { maxBytes = 10_000, signal = new AbortController().signal, ...rest } = options
  const fetch = createGuardedFetch({
    hosts: { 'sample.test': `http://127.0.0.1:${port}`, 'deep.test': `http://127.0.0.1:${port}/base/` },
    timeoutMs: 20_000,
    ...names({}),
    ...rest,
  })
  return (await fetch(address, { maxBytes, accepts: json, signal })).toString('utf8')
}

/** The failure of a fetch, as it is logged. */
async function refusal(address: string, options: Options = {}): Promise<string> {
  try {
    await get(address, options)
  } catch (error) {
    if (error instanceof FetchFailure) return `${error.kind}: ${error.message}`
    throw error
  }
  throw new Error(`${address} was fetched`)
}

/**
 * Boundaries of ranges and alternative spellings; the source are IANA's special-purpose address registries.
 */
const refused = [
  ['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
  ['100.100.100.200', '127.0.0.1', '127.255.255.255', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255', '192.0.0.0', '192.0.0.255', '192.0.2.1', '192.88.99.1', '192.168.0.0'],
  ['192.168.255.255', '198.18.0.0', '198.19.255.255', '198.51.100.7', '203.0.113.7', '224.0.0.1'],
  ['239.255.255.255', '240.0.0.0', '255.255.255.255', '168.63.129.16'],
  [
    '::',
    '::1',
    '::169.254.169.254',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:8.8.8.8',
    '64:ff9b::a9fe:a9fe',
  ],
  [
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '1fff:ffff::1',
    '2001::1',
    '2001:0:a9fe:a9fe::1',
    '2001:10::1',
  ],
  [
    '2001:1ff:ffff::1',
    '2001:db8::1',
    '2002:a9fe:a9fe::1',
    '2002::1',
    '3fff::1',
    '3fff:fff:ffff::1',
    '4000::1',
  ],
  ['5f00::1', 'fc00::1', 'fd00:ec2::254', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', 'ffff::1'],
  ['', 'localhost', '1.2.3', '01.2.3.4', 'fe80::1%eth0', '::1%lo'],
].flat()
const allowed = [
  ['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
  [
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
  ],
  [
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::1',
    '2001:200::1',
    '2001:4860::8888',
  ],
  ['2003::1', '2606:4700::1111', '3ffe:ffff::1', '3fff:1000::1'],
].flat()

test.each(refused)('%s is not a public address', (address) => expect(isPublicAddress(address)).toBe(false))
test.each(allowed)('%s is a public address', (address) => expect(isPublicAddress(address)).toBe(true))

test.each([
  'http://127.0.0.1/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://017700000001/',
  'http://127.1/',
  'http://0/',
  'http://127.0.0.1./',
  'http://①②⑦.0.0.1/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[::169.254.169.254]/',
  'http://[fd00:ec2::254]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://100.100.100.200/',
  'http://10.0.0.1/',
  'https://192.168.1.1/',
])('%s is refused before anything is asked', async (address) => {
  const resolver = names({})
  expect(await refusal(address, resolver)).toMatch(/^refused: .* is not a public address$/)
  expect(resolver.counts.size).toBe(0)
})

test.each([
  ['file:///etc/passwd', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['gopher://example.com/', 'scheme'],
  ['javascript:alert(1)', 'scheme'],
  ['data:application/json,{}', 'scheme'],
  ['http://user:password@example.com/', 'refused'],
  ['http://user@example.com/', 'refused'],
  ['http://user@sample.test/', 'refused'],
  ['http://example.com:22/', 'refused'],
  ['http://example.com:6379/', 'refused'],
  ['https://8.8.8.8:9200/', 'refused'],
  ['no address', 'invalid'],
  ['http://', 'invalid'],
  ['http://[fe80::1%25eth0]/', 'invalid'],
  ['ipfs://', 'unreachable'],
])('%s is refused: %s', async (address, kind) => {
  const resolver = names({ 'example.com': [['93.184.215.14']] })
  expect(await refusal(address, resolver)).toMatch(new RegExp(`^${kind}: `))
  expect(resolver.counts.size).toBe(0)
})

test.each([[['127.0.0.1']], [['::1']], [['8.8.8.8', '10.0.0.1']], [['2606:4700::1111', '::ffff:10.0.0.1']]])(
  'a name that leads to %j is refused, whichever address comes first',
  async (addresses) => {
    const { resolve } = names({ 'rebound.test': [addresses], 'turned.test': [[...addresses].reverse()] })
    for (const name of ['rebound.test', 'turned.test']) {
      expect(await refusal(`http://${name}/`, { resolve })).toMatch(/^unreachable: the name .* leads to /)
    }
    expect(asked).toEqual([])
  },
)

test('the name of this machine is refused by the system’s resolver', async () => {
  const fetch = createGuardedFetch({ hosts: {}, timeoutMs: 20_000 })
  const { signal } = new AbortController()
  await expect(fetch('http://localhost:8080/', { maxBytes: 10, accepts: json, signal })).rejects.toThrow(
    /the name localhost leads to (127\.0\.0\.1|::1)/,
  )
})

test('a name that changes after the check is not resolved again: the checked address is used', async () => {
  const attempts: string[] = []
  const watch = (message: unknown): void => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address: string) => attempts.push(address))
  }
  subscribe('net.client.socket', watch)
  // A public address at which nobody answers; the second answer would be the test's own server.
  const { resolve, counts } = names({ 'rebinding.test': [['192.0.1.1'], ['127.0.0.1']] })
  try {
    const failure = await refusal('http://rebinding.test:8080/', { resolve, timeoutMs: 300 })
    expect(failure).toMatch(/^unreachable: /)
  } finally {
    unsubscribe('net.client.socket', watch)
  }
  expect(attempts).toEqual(['192.0.1.1'])
  expect(counts.get('rebinding.test')).toBe(1)
  expect(asked).toEqual([])
})

test('a mapped name is requested at the operator’s base, and nowhere else', async () => {
  expect(await get('http://sample.test/a/b?c=d')).toBe('{"secret":true}')
  expect(await get('https://sample.test:1234/e')).toBe('{"secret":true}')
  expect(await get('http://deep.test/f')).toBe('{"secret":true}')
  expect(await get('http://deep.test//evil.test/../g')).toBe('{"secret":true}')
  expect(asked.map(({ host, path }) => `${host} ${path}`)).toEqual([
    `127.0.0.1:${port} /a/b?c=d`,
    `127.0.0.1:${port} /e`,
    `127.0.0.1:${port} /base/f`,
    `127.0.0.1:${port} /base//g`,
  ])
  expect(asked[0]?.headers.cookie).toBeUndefined()
  expect(await refusal('http://sample.test.evil.test/')).toBe(
    'unreachable: the name sample.test.evil.test is not known',
  )
})

test('ipfs is requested from the operator’s gateway', async () => {
  const ipfsGateway = `http://127.0.0.1:${port}/`
  const id = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG'
  for (const address of [`ipfs://${id}/1.json`, `ipfs://ipfs/${id}`]) {
    expect(await get(address, { ipfsGateway })).toBe('{"secret":true}')
  }
  expect(asked.map(({ path }) => path)).toEqual([`/ipfs/${id}/1.json`, `/ipfs/${id}`])
  for (const address of [
    'ipfs://../api/v0/id',
    'ipfs://.well-known/x',
    `ipfs://${id}/a%2f..%2f..%2fapi`,
    'ipfs://a@b/c',
  ]) {
    expect(await refusal(address, { ipfsGateway })).toMatch(/^(invalid|refused): /)
  }
})

const redirect = (location: string) => (response: ServerResponse) => {
  response.writeHead(302, { location }).end()
}

test('each redirect is checked', async () => {
  pages.set('/good', redirect('/there'))
  expect(await get('http://sample.test/good')).toBe('{"secret":true}')
  asked = []
  const resolver = names({ 'inner.test': [['10.1.2.3']], 'outer.test': [['8.8.8.8']] })
  for (const location of [
    `http://127.0.0.1:${port}/`,
    'http://169.254.169.254/latest/',
    '//[::1]/',
    'http://inner.test/',
    'http://user@outer.test/',
    'http://outer.test:22/',
    'file:///etc/passwd',
    'data:application/json,{}',
    'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG',
    'http://[',
  ]) {
    pages.set('/bad', redirect(location))
    expect(await refusal('http://sample.test/bad', resolver)).toMatch(/^unreachable: (it redirects|the name)/)
  }
  expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/bad']))
  pages.set('/down', redirect('http://sample.test/plain'))
  expect(await refusal('https://sample.test/down')).toBe('unreachable: it redirects from https: to http:')
})

test('three redirects are followed, a fourth is not', async () => {
  for (let step = 0; step < 9; step += 1) pages.set(`/${step}`, redirect(`/${step + 1}`))
  expect(await get('http://sample.test/6')).toBe('{"secret":true}')
  expect(await refusal('http://sample.test/5')).toBe('unreachable: more than 3 redirects')
  pages.set('/loop', redirect('/loop'))
  expect(await refusal('http://sample.test/loop')).toBe('unreachable: more than 3 redirects')
})

const answer =
  (body: Buffer | string, headers: Record<string, string> = {}, status = 200) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  }

test('the size is limited: declared, sent, and decompressed', async () => {
  const big = Buffer.alloc(10_001, 0x20)
  pages.set('/announced', answer('', { 'content-length': '10001' }))
  pages.set('/streamed', (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write(big.subarray(0, 5_000))
    response.end(big.subarray(5_000))
  })
  const bomb = Buffer.alloc(50_000_000)
  pages.set('/gzip', answer(gzipSync(bomb), { 'content-encoding': 'gzip' }))
  pages.set('/br', answer(brotliCompressSync(bomb), { 'content-encoding': 'br' }))
  for (const path of ['announced', 'streamed', 'gzip', 'br']) {
    expect(await refusal(`http://sample.test/${path}`, { maxBytes: 10_000 })).toBe(
      'tooLarge: it is larger than 10000 bytes',
    )
  }
  pages.set('/fits', answer(gzipSync(big.subarray(1)), { 'content-encoding': 'gzip' }))
  expect((await get('http://sample.test/fits')).length).toBe(10_000)
  pages.set('/odd', answer('', { 'content-encoding': 'zstd' }))
  expect(await refusal('http://sample.test/odd')).toBe('type: its content encoding is zstd')
  pages.set('/broken', answer('no gzip', { 'content-encoding': 'gzip' }))
  expect(await refusal('http://sample.test/broken')).toMatch(/^unreachable: /)
})

test('statuses and types are distinguished', async () => {
  pages.set('/404', answer('{}', {}, 404))
  pages.set('/500', answer('{}', {}, 500))
  pages.set('/html', answer('<html>', { 'content-type': 'Text/HTML; charset=utf-8' }))
  pages.set('/429', answer('{}', { 'retry-after': '7' }, 429))
  expect(await refusal('http://sample.test/404')).toBe('unreachable: it answered 404')
  expect(await refusal('http://sample.test/500')).toBe('unreachable: it answered 500')
  expect(await refusal('http://sample.test/html')).toBe('type: its content type is text/html')
  await expect(get('http://sample.test/429')).rejects.toMatchObject({ kind: 'throttled', retryAfter: 7 })
})

test('the timeout covers a body that stalls, and the caller can abort sooner', async () => {
  const stall = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{')
  }
  pages.set('/stall', stall)
  expect(await refusal('http://sample.test/stall', { timeoutMs: 200 })).toBe(
    'unreachable: no complete answer within 200 ms',
  )
  const caller = new AbortController()
  pages.set('/end', (response) => {
    stall(response)
    caller.abort(new Error('the caller left'))
  })
  await expect(get('http://sample.test/end', { signal: caller.signal })).rejects.toThrow('the caller left')
})

test('an incomplete body is not a document', async () => {
  const cut = createTcpServer((socket) => {
    socket.once('data', () => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"half":')
    })
  })
  cut.listen(0, '127.0.0.1')
  await once(cut, 'listening')
  const base = `http://127.0.0.1:${(cut.address() as AddressInfo).port}`
  expect(await refusal('http://cut.test/', { hosts: { 'cut.test': base } })).toMatch(/^unreachable: /)
  cut.close()
})

test('a proxy in the environment is not used', async () => {
  let reached = 0
  const proxy = createTcpServer((socket) => {
    reached += 1
    socket.destroy()
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  // The proxy itself is reachable, so the absence of requests proves that it is not used.
  const probe = connect((proxy.address() as AddressInfo).port, '127.0.0.1')
  await once(probe, 'close')
  const before = { ...process.env }
  Object.assign(process.env, { HTTP_PROXY: url, http_proxy: url, ALL_PROXY: url, NODE_USE_ENV_PROXY: '1' })
  try {
    expect(await get('http://sample.test/')).toBe('{"secret":true}')
  } finally {
    process.env = before
    proxy.close()
  }
  expect(reached).toBe(1)
})
