import http from 'node:http'
import { inflateSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Front, startFront } from '../kernel/front.ts'
import { linkCases, sampleHost } from './links.ts'
import { hugeBytes, siteRoutes } from './site.ts'

let front: Front

beforeAll(async () => {
  front = await startFront('127.0.0.1', 0, [siteRoutes()])
})
afterAll(() => front.close())

/** Maps a URI to this process, which serves the sample's host and `ipfs:`. */
function local(uri: string): string {
  return uri.replace(`http://${sampleHost}`, front.url).replace(/^ipfs:\/\/(ipfs\/)?/, `${front.url}/ipfs/`)
}

function uriOf(key: string): string {
  const found = linkCases.find((link) => link.key === key)
  if (found === undefined) throw new Error(`no link ${key}`)
  return local(found.uri)
}

const ask = (key: string): Promise<Response> => fetch(uriOf(key), { redirect: 'manual' })

/** Valid metadata must link to a picture. */
async function expectGood(response: Response): Promise<void> {
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json')
  const { name, image } = (await response.json()) as { name: string; image: string }
  expect(name).not.toBe('')
  const picture = await fetch(local(image))
  expect(picture.status).toBe(200)
  expect(picture.headers.get('content-type')).toMatch(/^image\/(svg\+xml|png)$/)
}

describe('good links', () => {
  for (const key of ['good', 'ipfs', 'ipfs twice', 'counting']) {
    test(`${key}: metadata and a picture`, async () => expectGood(await ask(key)))
  }

  test('redirect once', async () => {
    const first = await ask('redirect')
    expect(first.status).toBe(302)
    await expectGood(await fetch(local(first.headers.get('location') ?? '')))
  })

  test('of earlier collections serve ERC-1155 ids in 64 hex digits', async () => {
    const id = '6'.padStart(64, '0')
    for (const path of ['skyline/1', 'marmots/260', 'heroes/17', `gear/${id}`, `armoury/${id}`]) {
      await expectGood(await fetch(`${front.url}/ipfs/sample/${path}.json`))
    }
    for (const path of ['skyline/0', 'skyline/x', 'gear/7', 'nothing/1', 'skyline/1/1', 'skyline/%']) {
      expect((await fetch(`${front.url}/ipfs/sample/${path}.json`)).status, path).toBe(404)
    }
    expect(await (await fetch(`${front.url}/ipfs/sample/gear/${id}.json`)).json()).toMatchObject({
      name: 'Ice axe',
    })
  })

  test('of relics contain the id once or twice, and nothing is served for an unknown id', async () => {
    const id = 'f'.repeat(64)
    await expectGood(await fetch(`${front.url}/nft/relic/${id}.json`))
    await expectGood(await fetch(`${front.url}/nft/relic/${id}/${id}.json`))
    for (const path of ['{id}', '1', id.toUpperCase(), `${id}/${'0'.repeat(64)}`]) {
      expect((await fetch(`${front.url}/nft/relic/${path}.json`)).status, path).toBe(404)
    }
  })

  test('change from request to request', async () => {
    const names = []
    for (let time = 0; time < 2; time += 1) {
      names.push(((await (await fetch(`${front.url}/nft/counting/99.json`)).json()) as { name: string }).name)
    }
    expect(names).toEqual(['Read 1 time', 'Read 2 times'])
  })
})

describe('bad links', () => {
  test('answer with the status that they stand for', async () => {
    const statuses = { throttled: 429, missing: 404, 'broken server': 503, 'ipfs missing': 404 }
    for (const [key, status] of Object.entries(statuses)) expect((await ask(key)).status, key).toBe(status)
    expect((await ask('throttled')).headers.get('retry-after')).toBe('60')
  })

  test('contain invalid metadata', async () => {
    for (const key of ['text', 'cut JSON', 'web page']) {
      const text = await (await ask(key)).text()
      expect(() => JSON.parse(text), key).toThrow(SyntaxError)
    }
    expect(Array.isArray(await (await ask('list')).json())).toBe(true)
    expect(await (await ask('number')).json()).toBe(42)
    expect(typeof JSON.parse(await (await ask('deep')).text())).toBe('object')
  })

  test('redirect to forbidden hosts, and endlessly', async () => {
    const to = async (key: string): Promise<string | null> => (await ask(key)).headers.get('location')
    expect(await to('redirect to a private address')).toBe('http://10.0.0.1/nft.json')
    expect(await to('redirect to link-local')).toBe('http://169.254.169.254/latest/meta-data/')
    expect(local((await to('redirect loop')) ?? '')).toBe(uriOf('redirect loop'))
    let hops = 0
    let at = uriOf('seven redirects')
    for (; hops < 10; hops += 1) {
      const response = await fetch(at, { redirect: 'manual' })
      if (response.status === 200) break
      at = local(response.headers.get('location') ?? '')
    }
    expect(hops).toBe(7)
  })

  test('are far too large, even if the compressed bytes are few', async () => {
    const response = await ask('huge')
    expect(response.headers.get('content-length')).toBe(null)
    let length = 0
    for await (const chunk of response.body ?? []) length += (chunk as Uint8Array).length
    expect(length).toBeGreaterThan(hugeBytes)
    const packed = await new Promise<Buffer>((resolve, reject) => {
      http
        .get(uriOf('huge when unpacked'), (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => resolve(Buffer.concat(chunks)))
        })
        .on('error', reject)
    })
    expect(packed.length).toBeLessThan(500_000)
    expect(gunzipSync(packed).length).toBeGreaterThan(hugeBytes)
  })

  test('survive a client that disconnects midway', async () => {
    const abort = new AbortController()
    const response = await fetch(uriOf('huge'), { signal: abort.signal })
    await response.body?.getReader().read()
    abort.abort()
    await expectGood(await ask('good'))
  })

  for (const key of ['slow', 'stalled']) {
    test(`${key}: the head and a beginning come at once, the rest does not`, async () => {
      const abort = new AbortController()
      const response = await fetch(uriOf(key), { signal: abort.signal })
      expect(response.status).toBe(200)
      const length = Number(response.headers.get('content-length'))
      const first = await response.body?.getReader().read()
      expect(first?.value?.length).toBeGreaterThan(0)
      expect(first?.value?.length).toBeLessThan(length / 4)
      abort.abort()
    })
  }

  test('refuse methods other than GET, and missing files', async () => {
    expect((await fetch(uriOf('good'), { method: 'POST', body: 'x' })).status).toBe(405)
    for (const path of [
      '/nft/',
      '/nft/good/',
      '/nft/good/0.json',
      '/nft/nope/1.json',
      '/nft/constructor/1',
    ]) {
      expect((await fetch(front.url + path)).status, path).toBe(404)
    }
  })
})

describe('pictures', () => {
  test('are valid PNGs: signature, size, checksums, pixels', async () => {
    const bytes = Buffer.from(await (await fetch(`${front.url}/nft/picture/3.png`)).arrayBuffer())
    expect(bytes.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a')
    const side = bytes.readUInt32BE(16)
    const length = bytes.readUInt32BE(33)
    expect(bytes.subarray(37, 41).toString()).toBe('IDAT')
    expect(inflateSync(bytes.subarray(41, 41 + length))).toHaveLength(side * (side * 3 + 1))
    // The end chunk, including its checksum, is the same in every PNG file.
    expect(bytes.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082')
  })

  test('contain scripts in the scripted case, and pages declared as pictures', async () => {
    const scripted = await (await fetch(`${front.url}/nft/picture/scripted.svg`)).text()
    expect(scripted).toContain('<script>')
    const page = await fetch(`${front.url}/nft/picture/page.png`)
    expect(page.headers.get('content-type')).toBe('image/png')
    expect(await page.text()).toMatch(/^<script>/)
  })
})
