import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeAbiParameters } from 'viem'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { rewindChain } from '../../indexer/rewind.ts'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startContractNode, type ContractNode } from '../facts/testing/contract-node.ts'
import { followMetadata } from './metadata-worker.ts'
import { requestReindex } from './reindex.ts'
import { finish, forget, release, takeDue } from './queue.ts'

const chain = 43113
const start = 1_790_000_000
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const art = addressOf('art')
const items = addressOf('items')
const zero = `0x${'0'.repeat(40)}`
const good = JSON.stringify({ name: 'Good', image: 'https://pictures.test/1.png' })

let store: TestDatabase
let node: ContractNode
let server: Server
let base: string
let now: number
let abort: AbortController
let running: Promise<void>[]
let paths: string[]
/** A token's URI according to the contract; undefined reverts. */
const uris = new Map<string, string | undefined>()
const pages = new Map<string, (response: ServerResponse) => void>()

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, {
    chain,
    blocks: [0, 1].map((number) => ({ number, ts: 1_700_000_000 + number, txs: [] })),
  })
  node = await startContractNode()
  const answer = (data: string): string | undefined => {
    const uri = uris.get(BigInt(`0x${data.slice(10)}`).toString())
    return uri?.startsWith('0x')
      ? uri
      : uri === undefined
        ? undefined
        : encodeAbiParameters([{ type: 'string' }], [uri])
  }
  node.contracts.set(art, (data) => (data.startsWith('0xc87b56dd') ? answer(data) : undefined))
  node.contracts.set(items, (data) => (data.startsWith('0x0e89341c') ? answer(data) : undefined))
  server = createServer((request, response) => {
    paths.push(request.url ?? '')
    const page = pages.get(request.url ?? '')
    if (page) page(response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await node.close()
  await store.drop()
})
beforeEach(() => {
  now = start
  abort = new AbortController()
  running = []
  paths = []
  node.asked.length = 0
})
afterEach(async () => {
  abort.abort()
  await Promise.all(running)
  Object.assign(node, { failWith: undefined, error: undefined })
  uris.clear()
  pages.clear()
  await store.database`truncate nfts, nft_ranges, nft_metadata`
})

function work(settings: Record<string, unknown> = {}): void {
  const config = testConfig({
    chains: [{ evmChainId: chain, name: 'Test', rpcUrl: node.url }],
    nftMetadata: {
      enabled: true,
      ipfsGateway: base,
      hosts: { 'sample.test': base },
      maxBytes: 2_048,
      timeoutMs: 4_000,
      ...settings,
    },
  })
  const options = {
    database: store.database,
    config,
    logger: pino({ level: 'silent' }),
    clock: () => now,
    tick: 10,
  }
  running.push(followMetadata(options, abort.signal))
}

async function mint(
  id: number | bigint,
  uri: string | undefined,
  token = art,
  kind = 721,
  block = 1,
): Promise<void> {
  uris.set(String(id), uri)
  await store.database`
    insert into nfts (chain, token, kind, token_id, first_block)
    values (${chain}, ${bytes(token)}, ${kind}, ${String(id)}, ${block})`
}

type Row = {
  status: string
  uri: string | null
  name: string | null
  due_ts: bigint | null
  attempts: number
}
async function row(id: number | bigint): Promise<Row | undefined> {
  const [found] = await store.database<Row[]>`select * from nft_metadata where token_id = ${String(id)}`
  return found
}
const status = async (id: number | bigint): Promise<string | undefined> => (await row(id))?.status

const send =
  (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }, code = 200) =>
  (response: ServerResponse) => {
    response.writeHead(code, headers).end(body)
  }
const data = (json: string): string => `data:application/json;base64,${Buffer.from(json).toString('base64')}`

test('every status is reached, and only temporary failures are retried', async () => {
  pages.set('/good', send(good))
  pages.set('/slow', () => undefined)
  pages.set('/huge', send(JSON.stringify({ name: 'x'.repeat(5_000) })))
  pages.set('/429', send('', { 'retry-after': '100' }, 429))
  pages.set('/html', send('<html>', { 'content-type': 'text/html' }))
  pages.set('/nojson', send('{"name":'))
  pages.set('/array', send('[1,2]'))
  pages.set('/nothing', send('{"color":"red"}'))
  pages.set('/redirect', send('', { location: '/good' }, 302))
  pages.set('/private', send('', { location: 'http://10.0.0.1/' }, 302))
  pages.set(
    '/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/1',
    send(good, { 'content-type': 'text/plain' }),
  )
  const cases: (readonly [uri: string | undefined, status: string, again?: number])[] = [
    ['http://sample.test/good', 'INDEXED'],
    ['http://sample.test/redirect', 'INDEXED'],
    ['ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/1', 'INDEXED'],
    [data(good), 'INDEXED'],
    [`data:application/json;utf8,${good}`, 'INDEXED'],
    [undefined, 'MISSING_TOKEN'],
    ['0x', 'MISSING_TOKEN'],
    ['0x1234', 'INVALID_TOKEN_URI'],
    ['', 'INVALID_TOKEN_URI'],
    ['token/1', 'INVALID_TOKEN_URI'],
    ['http://10.0.0.1/', 'UNREACHABLE_TOKEN_URI'],
    ['http://169.254.169.254/latest', 'UNREACHABLE_TOKEN_URI'],
    ['http://user@sample.test/good', 'UNREACHABLE_TOKEN_URI'],
    ['ar://abc', 'INVALID_TOKEN_URI_SCHEME'],
    ['javascript:alert(1)', 'INVALID_TOKEN_URI_SCHEME'],
    ['http://sample.test/missing', 'UNREACHABLE_TOKEN_URI', 60],
    ['http://sample.test/slow', 'UNREACHABLE_TOKEN_URI', 60],
    ['http://sample.test/private', 'UNREACHABLE_TOKEN_URI', 60],
    ['http://sample.test/429', 'THROTTLED_TOKEN_URI', 100],
    ['http://sample.test/huge', 'METADATA_CONTENT_TOO_LARGE'],
    [data(JSON.stringify({ name: 'x'.repeat(5_000) })), 'METADATA_CONTENT_TOO_LARGE'],
    [data(JSON.stringify({ name: 'x'.repeat(500_000) })), 'METADATA_CONTENT_TOO_LARGE'],
    ['http://sample.test/html', 'INVALID_METADATA_JSON'],
    ['http://sample.test/nojson', 'INVALID_METADATA_JSON'],
    [data('no json'), 'INVALID_METADATA_JSON'],
    ['http://sample.test/array', 'INVALID_METADATA'],
    ['http://sample.test/nothing', 'INVALID_METADATA'],
  ]
  for (const [index, [uri]] of cases.entries()) await mint(index, uri)
  work()
  for (const [index, [uri, expected, again]] of cases.entries()) {
    await expect.poll(() => status(index), { message: uri?.slice(0, 80) ?? '' }).toBe(expected)
    const found = await row(index)
    expect(found?.due_ts).toBe(again === undefined ? null : BigInt(start + again))
    if (uri !== undefined && /^\w+:/.test(uri) && uri.length < 8_000) expect(found?.uri).toBe(uri)
    expect(found?.name).toBe(expected === 'INDEXED' ? 'Good' : null)
  }
})

test("a node's own error is UNKNOWN, and a node that is down only causes a delay", async () => {
  node.error = 'missing trie node'
  await mint(1, data(good))
  work()
  await expect.poll(() => status(1)).toBe('UNKNOWN')
  expect(await row(1)).toMatchObject({ due_ts: BigInt(start + 60), attempts: 1 })
  node.failWith = { status: 503 }
  now = start + 60
  const before = node.asked.length
  await mint(2, data(good))
  // Both are released unread, and the chain is skipped while it pauses.
  await expect.poll(() => node.asked.length).toBeGreaterThan(before)
  Object.assign(node, { failWith: undefined, error: undefined })
  const later = async (id: number): Promise<string | undefined> => {
    // A request in progress may still fail and restart the pause, so time continues.
    now += 120
    return status(id)
  }
  await expect.poll(() => later(1)).toBe('INDEXED')
  await expect.poll(() => later(2)).toBe('INDEXED')
  expect(await row(2)).toMatchObject({ attempts: 0 })
})

test('with fetching disabled only data: is read; once enabled, the rest follows', async () => {
  pages.set('/good', send(good))
  await mint(1, 'http://sample.test/good')
  await mint(2, data(good))
  await mint(3, 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/1')
  work({ enabled: false })
  await expect.poll(() => status(2)).toBe('INDEXED')
  await expect.poll(async () => (await row(1))?.uri).toBe('http://sample.test/good')
  expect(await row(1)).toMatchObject({ status: 'UNINDEXED', due_ts: null })
  await expect.poll(async () => (await row(3))?.due_ts).toBe(null)
  expect(paths).toEqual([])
  abort.abort()
  await Promise.all(running)
  abort = new AbortController()
  work()
  await expect.poll(() => status(1)).toBe('INDEXED')
})

test('an ERC-1155 id is written into the URI as 64 lower-case hex digits', async () => {
  const id = 0xabcdef
  const hex = '0000000000000000000000000000000000000000000000000000000000abcdef'
  pages.set(
    `/${hex}/${hex}.json`,
    send(JSON.stringify({ name: 'Item', image: 'https://pictures.test/{id}.png' })),
  )
  await mint(id, 'http://sample.test/{id}/{id}.json', items, 1155)
  work()
  await expect.poll(() => status(id)).toBe('INDEXED')
  expect(await row(id)).toMatchObject({ image_uri: `https://pictures.test/${hex}.png` })
})

test('a failure keeps the earlier metadata, and attempts end', async () => {
  pages.set('/page', send(good))
  await mint(1, 'http://sample.test/page')
  work()
  await expect.poll(() => status(1)).toBe('INDEXED')
  pages.set('/page', send('', {}, 500))
  await store.database`update nft_metadata set due_ts = ${now}`
  const pauses: number[] = []
  for (let due: bigint | null = BigInt(now); due !== null;) {
    const attempt = pauses.length + 1
    await expect
      .poll(async () => {
        const found = await row(1)
        return found?.attempts === attempt || (attempt > 1 && found?.due_ts === null)
      })
      .toBe(true)
    const next: bigint | null = (await row(1))?.due_ts ?? null
    if (next !== null) pauses.push(Number(next) - now)
    due = next
    now = Number(next ?? now)
  }
  expect(pauses).toEqual([60, 240, 960, 3_840, 15_360, 61_440, 86_400])
  expect(await row(1)).toMatchObject({
    status: 'UNREACHABLE_TOKEN_URI',
    name: 'Good',
    updated_ts: BigInt(start),
  })
})

test('two processes never read the same NFT, and a lost lease writes nothing', async () => {
  for (let id = 0; id < 50; id += 1) await mint(id, data(good))
  work()
  work()
  await expect
    .poll(async () => (await store.database`select 1 from nft_metadata where status = 'INDEXED'`).length)
    .toBe(50)
  expect(node.asked.filter((method) => method === 'eth_call')).toHaveLength(50)
  abort.abort()
  await Promise.all(running)
  // A process that died has left a lease; the NFT is free again when it expires.
  await store.database`update nft_metadata set due_ts = ${now}, status = 'UNINDEXED' where token_id = 7`
  expect(await takeDue(store.database, [chain], now, 10)).toHaveLength(1)
  expect(await takeDue(store.database, [chain], now, 10)).toHaveLength(0)
  now += 300
  abort = new AbortController()
  work()
  await expect.poll(() => status(7)).toBe('INDEXED')
})

test('the result of a read is discarded if a new one was requested meanwhile', async () => {
  await mint(1, data(good))
  await store.database`
    insert into nft_metadata (chain, token, token_id, due_ts) values (${chain}, ${bytes(art)}, 1, ${now})`
  const [leased] = await takeDue(store.database, [chain], now, 10)
  if (!leased) throw new Error('nothing was due')
  await store.database`update nft_metadata set due_ts = ${now + 1}`
  const reading = { status: 'INVALID_METADATA', uri: 'data:,old', due: null } as const
  expect(await finish(store.database, leased, reading, now)).toBe(false)
  await release(store.database, leased, now)
  await forget(store.database, leased)
  expect(await row(1)).toMatchObject({ status: 'UNINDEXED', uri: null, due_ts: BigInt(now + 1) })
})

test('an NFT that a reorg removed is deleted, and read when it reappears lower down', async () => {
  await mint(1, data(good))
  work()
  await expect.poll(() => status(1)).toBe('INDEXED')
  await store.database`delete from nfts`
  await store.database`update nft_metadata set due_ts = ${now}`
  await expect.poll(() => row(1)).toBeUndefined()
  await mint(1, data(JSON.stringify({ name: 'Again' })), art, 721, 0)
  await expect.poll(async () => (await row(1))?.name).toBe('Again')
})

test('of a range of NFTs the first hundred are read, others when asked for', async () => {
  for (let id = 0; id < 200; id += 1) uris.set(`${id}`, data(good))
  const range = (recipient: string, to: bigint, number: number, place: number) => store.database`
    insert into nft_ranges (chain, token, place, from_id, to_id, sender, recipient, number)
    values (${chain}, ${bytes(art)}, ${place}, 0, ${to.toString()}, ${bytes(zero)}, ${bytes(recipient)}, ${number})`
  await range(items, 2n ** 256n - 1n, 0, 0)
  await range(items, 3n, 1, 1)
  work()
  await expect.poll(() => status(99)).toBe('INDEXED')
  const [queued] = await store.database<{ count: number }[]>`select count(*)::int as count from nft_metadata`
  expect(queued?.count).toBe(100)
  const asked = { chain: BigInt(chain), token: bytes(art), tokenId: '150' }
  expect(await requestReindex(store.database, asked, now)).toEqual({ kind: 'accepted' })
  await expect.poll(() => status(150)).toBe('INDEXED')
  const unknown = { ...asked, token: bytes(items) }
  expect(await requestReindex(store.database, unknown, now)).toEqual({ kind: 'unknown' })
})

test('leased NFTs are released when the service stops', async () => {
  pages.set('/never', () => undefined)
  await mint(1, 'http://sample.test/never')
  work({ timeoutMs: 60_000 })
  await expect.poll(() => paths).toEqual(['/never'])
  abort.abort()
  await Promise.all(running)
  expect(await row(1)).toMatchObject({ status: 'UNINDEXED', due_ts: BigInt(now), attempts: 0 })
})

async function stop(): Promise<void> {
  abort.abort()
  await Promise.all(running)
  abort = new AbortController()
  running = []
}

test('a worker continues at the position of the last one, and a rewind lowers it', async () => {
  const addHead = (): Promise<unknown> => store.database`
    insert into blocks select (jsonb_populate_record(b, '{"number": 300}')).* from blocks b where number = 1`
  await addHead()
  await mint(1, 'data:,{}', art, 721, 300)
  work()
  await expect.poll(() => row(1)).toBeDefined()
  await stop()
  await mint(2, 'data:,{}', art, 721, 20)
  await mint(3, 'data:,{}', art, 721, 300)
  work()
  await expect.poll(() => row(3)).toBeDefined()
  await stop()
  expect(await row(2)).toBeUndefined()
  await rewindChain(store.database, chain, 10)
  await mint(4, 'data:,{}', art, 721, 20)
  await addHead()
  work()
  await expect.poll(() => row(4)).toBeDefined()
})
