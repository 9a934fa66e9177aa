import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { type Handler, type RouteGroup, sendText } from '../kernel/front.ts'
import { contentAt, goodMetadata, relicMetadata } from './collections.ts'
import { hostileTexts, sampleHost, scriptedSvg } from './links.ts'
import { pngOf, svgOf } from './pictures.ts'

/** Size of the oversized answers; above every sensible limit. */
export const hugeBytes = 48 * 1024 * 1024
/** Seconds until a slow answer is complete. */
const slowSeconds = 120
const depth = 20_000

const site = `http://${sampleHost}/nft`

type Answer = (rest: string, response: ServerResponse) => Promise<void> | void

function sendBytes(response: ServerResponse, type: string, body: Buffer | string, status = 200): void {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body
  response.writeHead(status, { 'content-type': type, 'content-length': bytes.length })
  response.end(bytes)
}

function sendJson(response: ServerResponse, value: unknown): void {
  sendBytes(response, 'application/json', JSON.stringify(value))
}

function notFound(response: ServerResponse): void {
  sendText(response, 404, 'there is nothing here\n')
}

function numberIn(rest: string): number | undefined {
  const found = /^([1-9]\d{0,5})\./.exec(rest)?.[1]
  return found === undefined ? undefined : Number(found)
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(302, { location: to, 'content-length': 0 })
  response.end()
}

const opening = Buffer.from('{"name":"')
const filler = Buffer.from('ridgeline '.repeat(6_554))

function* repeat(first: Buffer, last: string): Generator<Buffer> {
  yield first
  for (let sent = 0; sent < hugeBytes; sent += filler.length) yield filler
  yield Buffer.from(last)
}

/** Sends without a content length, as fast as the client reads, until the client closes the connection. */
async function sendHuge(response: ServerResponse, type: string, first: Buffer, last: string): Promise<void> {
  response.writeHead(200, { 'content-type': type })
  try {
    await pipeline(Readable.from(repeat(first, last)), response)
  } catch {
    // The client is expected to close the connection early.
  }
}

/** Sends the head at once and a part of the body every second. */
function sendSlowly(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  const step = Math.ceil(body.length / slowSeconds)
  let sent = 0
  const send = (): void => {
    response.write(body.slice(sent, sent + step))
    sent += step
    if (sent < body.length) return
    clearInterval(timer)
    response.end()
  }
  const timer = setInterval(send, 1000)
  response.once('close', () => clearInterval(timer))
  send()
}

const redirects = new Map([
  ['good', `${site}/good/7.json`],
  ['private', 'http://10.0.0.1/nft.json'],
  ['link-local', 'http://169.254.169.254/latest/meta-data/'],
  ['loop', `${site}/redirect/loop`],
])

function sendPicture(rest: string, response: ServerResponse): Promise<void> | void {
  const number = numberIn(rest)
  if (rest === 'scripted.svg') return sendBytes(response, 'image/svg+xml', scriptedSvg)
  if (rest === 'page.png') return sendBytes(response, 'image/png', '<script>alert("picture")</script>')
  if (rest === 'huge.png') return sendHuge(response, 'image/png', pngOf(1), '')
  if (number !== undefined && rest.endsWith('.svg')) {
    return sendBytes(response, 'image/svg+xml', svgOf('prints', number))
  }
  if (number !== undefined && rest.endsWith('.png')) return sendBytes(response, 'image/png', pngOf(number))
  notFound(response)
}

const hostile = {
  name: `${hostileTexts.image}${hostileTexts.turned}`,
  description: `${hostileTexts.script}${hostileTexts.zeros}`,
  image: `${site}/picture/scripted.svg`,
  animation_url: `${site}/page/1.html`,
  external_url: 'javascript:alert("outside")',
}

/** Metadata fields of unexpected types. */
const mixed = {
  name: 12,
  description: { text: 'an object' },
  image: ['a list'],
  decimals: '18',
  attributes: 'none',
  properties: { rarity: { value: 'rare' }, weight: 3.5 },
}

const deep = `{"name":"Deep","attributes":${'['.repeat(depth)}${']'.repeat(depth)}}`

/** Answers below `/nft/` by the first segment of the path. */
function answers(): Readonly<Record<string, Answer>> {
  let bomb: Buffer | undefined
  const counts = new Map<string, number>()
  return {
    good(rest, response) {
      const number = numberIn(rest)
      if (number === undefined) notFound(response)
      else sendJson(response, goodMetadata(number))
    },
    slow: (_, response) => sendSlowly(response, JSON.stringify({ ...goodMetadata(1), name: 'Slow' })),
    stalled(_, response) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 400 })
      response.write('{"name":"Stalled",')
    },
    huge: (_, response) => sendHuge(response, 'application/json', opening, '"}'),
    bomb(_, response) {
      bomb ??= gzipSync(Buffer.concat([...repeat(opening, '"}')]))
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-encoding': 'gzip',
        'content-length': bomb.length,
      })
      response.end(bomb)
    },
    throttled(_, response) {
      response.writeHead(429, { 'retry-after': '60', 'content-length': 0 })
      response.end()
    },
    missing: (_, response) => notFound(response),
    unwell: (_, response) => sendText(response, 503, 'try again later\n'),
    text: (_, response) => sendText(response, 200, 'The picture shows a ridge line at dawn.\n'),
    cut: (_, response) => sendBytes(response, 'application/json', '{"name":"Cut","description":"half of'),
    page: (_, response) =>
      sendBytes(
        response,
        'text/html; charset=utf-8',
        '<!doctype html><title>Gone</title><script>alert("page")</script><p>The project has ended.</p>',
      ),
    list: (_, response) => sendJson(response, [goodMetadata(1)]),
    number: (_, response) => sendJson(response, 42),
    redirect(rest, response) {
      const left = /^[1-9]\d?$/.test(rest) ? Number(rest) - 1 : undefined
      const to =
        left === undefined
          ? redirects.get(rest)
          : left === 0
            ? `${site}/good/6.json`
            : `${site}/redirect/${left}`
      if (to === undefined) notFound(response)
      else redirect(response, to)
    },
    relic(rest, response) {
      const ids = rest.replace(/\.json$/, '').split('/')
      const [id = ''] = ids
      const metadata = ids.length <= 2 && ids.every((each) => each === id) ? relicMetadata(id) : undefined
      if (metadata === undefined) notFound(response)
      else sendJson(response, metadata)
    },
    mixed: (_, response) => sendJson(response, mixed),
    hostile: (_, response) => sendJson(response, hostile),
    deep: (_, response) => sendBytes(response, 'application/json', deep),
    counting(rest, response) {
      const count = (counts.get(rest) ?? 0) + 1
      if (counts.size < 1_000) counts.set(rest, count)
      const name = `Read ${count} ${count === 1 ? 'time' : 'times'}`
      sendJson(response, { ...goodMetadata(2), name })
    },
    picture: sendPicture,
  }
}

function pathBelow(request: IncomingMessage, prefix: string): string | undefined {
  const path = (request.url ?? '').split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path.slice(prefix.length))
  } catch {
    // Invalid percent-encoding: no file has such a name.
    return undefined
  }
}

function reading(prefix: string, answer: Answer): Handler {
  return (request, response) => {
    request.resume()
    const rest = pathBelow(request, prefix)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendText(response, 405, 'only GET is answered here\n')
    } else if (rest === undefined) notFound(response)
    else return answer(rest, response)
  }
}

/**
 * The web site behind the sample's token URIs, `/nft/…`, and its IPFS gateway, `/ipfs/…`: valid and invalid
 * answers of every kind.
 */
export function siteRoutes(): RouteGroup {
  const byName = new Map(Object.entries(answers()))
  const onSite: Answer = (path, response) => {
    const at = path.indexOf('/')
    const answer = byName.get(path.slice(0, Math.max(0, at)))
    if (answer === undefined) return notFound(response)
    return answer(path.slice(at + 1), response)
  }
  const onGateway: Answer = (path, response) => {
    const found = contentAt(path)
    if (found === undefined) notFound(response)
    else if ('kind' in found) sendBytes(response, 'image/svg+xml', svgOf(found.kind, found.number))
    else sendJson(response, found)
  }
  return {
    routes: new Map([
      ['/nft/', reading('/nft/', onSite)],
      ['/ipfs/', reading('/ipfs/', onGateway)],
    ]),
  }
}
