import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addressOf, seedChain } from '../../testing/chain-rows.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { testConfig } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'

const chain = 43113
const art = addressOf('art')
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

let store: TestDatabase
let service: TestService
let offline: TestService
let server: Server
let asked: string[] = []
const pages = new Map<string, (response: ServerResponse) => void>()

beforeAll(async () => {
  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: [{ number: 0, ts: 1_700_000_000, txs: [] }] })
  server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const page = pages.get(request.url ?? '')
    if (page) page(response)
    else response.writeHead(404).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const nftMetadata = { enabled: true, ipfsGateway: base, hosts: { 'sample.test': base }, maxBytes: 2_048 }
  service = await startTestService(store.database, { config: testConfig({ nftMetadata }) })
  offline = await startTestService(store.database, {
    config: testConfig({ nftMetadata: { ...nftMetadata, enabled: false } }),
  })
})
afterAll(async () => {
  await service.close()
  await offline.close()
  server.closeAllConnections()
  server.close()
  await store.drop()
})
afterEach(async () => {
  asked = []
  pages.clear()
  await store.database`truncate nft_metadata`
})

let nextId = 0
/** Inserts an NFT with this picture link and a new id, so that nothing is cached from another test. */
async function nft(link: string | null): Promise<number> {
  nextId += 1
  await store.database`
    insert into nft_metadata (chain, token, token_id, image_uri)
    values (${chain}, ${bytes(art)}, ${nextId}, ${link})`
  return nextId
}
const path = (id: number | string): string => `/v1/chains/${chain}/nfts/collections/${art}/tokens/${id}/media`
const get = (id: number | string, headers: Record<string, string> = {}, from = service) =>
  from.app.inject({ url: path(id), headers })

const send =
  (body: string | Buffer, type = 'application/octet-stream') =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).end(body)
  }

/** First bytes of real files. */
const ftyp = (brand: string, compatible = brand): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0${compatible}mif1`)])
test.each([
  ['png', png, 'image/png', 'png'],
  ['jpeg', Buffer.from('ffd8ffe000104a46', 'hex'), 'image/jpeg', 'jpg'],
  ['gif', Buffer.from('GIF89a\x01\x00'), 'image/gif', 'gif'],
  ['webp', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8 '), 'image/webp', 'webp'],
  ['avif', ftyp('avif'), 'image/avif', 'avif'],
  ['avif, compatible', ftyp('mif1', 'avif'), 'image/avif', 'avif'],
  ['svg', Buffer.from(svg), 'image/svg+xml', 'svg'],
  [
    'svg with a prologue',
    Buffer.from(`\uFEFF<?xml version="1.0"?>\n<!-- x --><!DOCTYPE svg>${svg}`),
    'image/svg+xml',
    'svg',
  ],
])('%s is passed on by its bytes, whatever the server says', async (name, body, type, extension) => {
  const at = `/${encodeURIComponent(name)}`
  pages.set(at, send(body, 'text/html'))
  const id = await nft(`http://sample.test${at}`)
  const answer = await get(id)
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload).toEqual(body)
  expect(answer.headers).toMatchObject({
    'content-type': type,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="${art.slice(2, 10)}-${id}.${extension}"`,
    'cache-control': 'public, max-age=300',
  })
})

test('a picture inside the metadata is served, also with fetching disabled', async () => {
  const inline = await nft(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`)
  for (const from of [service, offline]) {
    const answer = await get(inline, {}, from)
    expect(answer.body).toBe(svg)
    expect(answer.headers['content-security-policy']).toContain('sandbox')
  }
  // The type in its URI is ignored as well.
  const lying = await nft(`data:image/png;base64,${Buffer.from('<html>').toString('base64')}`)
  expect((await get(lying)).statusCode).toBe(404)
  const remote = await nft('http://sample.test/off')
  const refused = await get(remote, {}, offline)
  expect(refused.statusCode).toBe(404)
  expect(refused.json().message).toContain('not fetched')
  expect(asked).toEqual([])
})

test('ipfs is served through the gateway', async () => {
  pages.set('/ipfs/QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/1.png', send(png))
  const id = await nft('ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG/1.png')
  expect((await get(id)).rawPayload).toEqual(png)
})

test('content that is not a picture, too large, missing or at a private address is not served', async () => {
  pages.set('/page', send('<!doctype html><script>alert(1)</script>', 'image/png'))
  pages.set('/hidden', send(`<html>${svg}</html>`, 'image/svg+xml'))
  pages.set('/large', send(Buffer.concat([png, Buffer.alloc(5 * 2_048)])))
  pages.set('/inside', (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
  const links = ['page', 'hidden', 'large', 'none', 'inside'].map((name) => `http://sample.test/${name}`)
  for (const link of [...links, 'https://127.0.0.1/1.png', null]) {
    const answer = await get(await nft(link))
    expect([link, answer.statusCode]).toEqual([link, 404])
    expect(answer.headers['content-type']).toContain('application/json')
  }
})

test('a link is fetched once for many, then cached; a browser revalidates it', async () => {
  let release: (() => void) | undefined
  pages.set('/held.png', (response) => {
    release = () => send(png)(response)
  })
  const id = await nft('http://sample.test/held.png')
  const other = await nft('http://sample.test/held.png')
  const answers = Array.from({ length: 10 }, (_, index) => get(index % 2 === 0 ? id : other))
  await expect.poll(() => release).toBeDefined()
  release?.()
  for (const answer of await Promise.all(answers)) expect(answer.rawPayload).toEqual(png)
  const again = await get(id)
  expect(again.statusCode).toBe(200)
  expect(asked).toEqual(['/held.png'])
  const unchanged = await get(id, { 'if-none-match': String(again.headers['etag']) })
  expect(unchanged.statusCode).toBe(304)
  expect(unchanged.body).toBe('')
})

test('concurrent fetches are limited; further requests are told to retry', async () => {
  const held: ServerResponse[] = []
  const ids: number[] = []
  for (let index = 0; index < 37; index += 1) {
    pages.set(`/${index}`, (response) => void held.push(response))
    ids.push(await nft(`http://sample.test/${index}`))
  }
  let refused: { statusCode: number; headers: Record<string, unknown> } | undefined
  const answers = ids.map((id) =>
    get(id).then((answer) => {
      if (answer.statusCode === 503) refused = answer
      return answer.statusCode
    }),
  )
  await expect.poll(() => refused?.headers['retry-after']).toBe('2')
  await expect.poll(() => held.length).toBe(4)
  const drain = setInterval(() => held.splice(0).forEach(send(png)), 5)
  const statuses = await Promise.all(answers)
  clearInterval(drain)
  expect(statuses.filter((status) => status === 200)).toHaveLength(36)
})

test.each([
  [path('x'), 400],
  [path(99_999), 404],
  [path(1).replace(`/${chain}/`, '/9/'), 404],
])('%s is a %i', async (url, status) => {
  expect((await service.app.inject(url)).statusCode).toBe(status)
})
