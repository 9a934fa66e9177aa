import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Transform, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/**
 * Why a document was not fetched. `invalid`: it is no address; `scheme`: it is no http, https or ipfs;
 * `refused`: it names a place that is never asked, whatever answers there; `unreachable`: nobody answered
 * well, or a name or a redirect led to a refused place; `throttled`: asked too often; `tooLarge`; `type`:
 * another content type than asked for.
 */
export type FetchFailureKind =
  'invalid' | 'scheme' | 'refused' | 'unreachable' | 'throttled' | 'tooLarge' | 'type'

export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly kind: FetchFailureKind
  /** Seconds that the other side asked us to wait. */
  readonly retryAfter: number | undefined
  /** Whether nobody answered at all: another document of the same host would fare no better. */
  readonly silent: boolean
  constructor(
    kind: FetchFailureKind,
    message: string,
    options: { retryAfter?: number | undefined; silent?: boolean } = {},
  ) {
    super(message)
    this.kind = kind
    this.retryAfter = options.retryAfter
    this.silent = options.silent ?? false
  }
}

export type Resolved = { readonly address: string; readonly family: number }

export type GuardedFetchOptions = {
  /** Host names in lower case and the trusted bases that serve them. */
  readonly hosts: Readonly<Record<string, string>>
  /** Trusted; serves `/ipfs/…` below it. */
  readonly ipfsGateway?: string | undefined
  /** Milliseconds for a document with all its redirects, body included. */
  readonly timeoutMs: number
  /** Asks for every address of a name; the system's resolver when left out. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>
}

export type GetOptions = {
  /** Of the body, as sent and once unpacked. */
  readonly maxBytes: number
  /** Whether a content type, in lower case and without parameters, is welcome; '' when none was given. */
  readonly accepts: (type: string) => boolean
  readonly signal: AbortSignal
}

export type GuardedFetch = (address: string, options: GetOptions) => Promise<Buffer>

/** How many redirects are followed. */
const mostRedirects = 3

/** The ports of the web and their usual substitutes; others belong to other services. */
const allowedPorts = new Set(['', '80', '443', '8080', '8443'])

const specialIPv4 = blockList('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  // A cloud's own service on a public address.
  ['168.63.129.16', 32],
])

/**
 * Global unicast. Everything else of IPv6 is refused: loopback, `::a.b.c.d`, mapped `::ffff:0:0/96`, NAT64
 * `64:ff9b::/96` and `64:ff9b:1::/48`, discard, unique local, link-local, site-local, multicast.
 */
const unicastIPv6 = blockList('ipv6', [['2000::', 3]])
/** Within global unicast: Teredo and the other protocol assignments, documentation, 6to4. */
const specialIPv6 = blockList('ipv6', [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
])

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family)
  return list
}

/** Whether an address is a global unicast one: of some host on the internet, and of no network of ours. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !specialIPv4.check(address, 'ipv4')
  if (family === 6) return unicastIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6')
  return false
}

/** Where a request goes: `shown` is the address as the world knows it, `to` what is asked. */
type Target = { readonly shown: URL; readonly to: URL; readonly trusted: boolean }

/**
 * Makes a function that gets a document which a stranger named. Each hop is
 * checked anew: scheme, credentials, port, and every address that its name has; the connection goes to one
 * of the checked addresses and to no other. No proxy, no cookies, no connection is kept.
 *
 * It throws FetchFailure, or the signal's reason when that ends it.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs, ipfsGateway, resolve = resolveAll } = options
  const hosts = new Map(Object.entries(options.hosts))

  /** Where a URL is asked for. Throws for what no name lookup could make right. */
  function locate(shown: URL): Target {
    if (shown.protocol === 'ipfs:') {
      if (ipfsGateway === undefined) throw new FetchFailure('unreachable', 'no ipfs gateway is configured')
      return { shown, to: below(ipfsGateway, `/ipfs/${ipfsPath(shown)}`), trusted: true }
    }
    if (shown.protocol !== 'http:' && shown.protocol !== 'https:') {
      throw new FetchFailure('scheme', `${shown.protocol} is none of http:, https: and ipfs:`)
    }
    if (shown.username !== '' || shown.password !== '') {
      throw new FetchFailure('refused', 'the address carries credentials')
    }
    const base = hosts.get(shown.hostname)
    if (base !== undefined) {
      return { shown, to: below(base, shown.pathname, shown.search), trusted: true }
    }
    if (!allowedPorts.has(shown.port)) {
      throw new FetchFailure('refused', `port ${shown.port} is not asked; allowed: 80, 443, 8080, 8443`)
    }
    const literal = shown.hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0 && !isPublicAddress(literal)) {
      throw new FetchFailure('refused', `${literal} is not a public address`)
    }
    return { shown, to: shown, trusted: false }
  }

  /** The one lookup of a hop: a connection is made to what was checked here. */
  async function pin({ to, trusted }: Target, signal: AbortSignal): Promise<LookupFunction | undefined> {
    const host = to.hostname.replace(/^\[|\]$/g, '')
    if (trusted || isIP(host) !== 0) return undefined
    const found = await unlessAborted(resolve(host), signal).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new FetchFailure('unreachable', `the name ${host} is not known`, { silent: true })
    })
    const first = found[0]
    if (!first) throw new FetchFailure('unreachable', `the name ${host} has no address`)
    const refused = found.find(({ address }) => !isPublicAddress(address))
    if (refused) throw new FetchFailure('unreachable', `the name ${host} leads to ${refused.address}`)
    return (_host, { all }, callback) => {
      if (all === true) callback(null, [...found])
      else callback(null, first.address, first.family)
    }
  }

  return async (address, get) => {
    const deadline = new AbortController()
    const stop = (): void => deadline.abort(get.signal.reason)
    if (get.signal.aborted) throw get.signal.reason
    get.signal.addEventListener('abort', stop, { once: true })
    const late = new FetchFailure('unreachable', `no complete answer within ${timeoutMs} ms`, {
      silent: true,
    })
    const timer = setTimeout(() => deadline.abort(late), timeoutMs)
    try {
      let target = locate(parse(address))
      for (let redirects = 0; ; redirects += 1) {
        const lookup = await pin(target, deadline.signal)
        const answer = await ask(target.to, lookup, get, deadline.signal)
        if (Buffer.isBuffer(answer)) return answer
        if (redirects === mostRedirects) {
          throw new FetchFailure('unreachable', `more than ${mostRedirects} redirects`)
        }
        target = follow(target, answer.location, locate)
      }
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      throw error
    } finally {
      clearTimeout(timer)
      get.signal.removeEventListener('abort', stop)
    }
  }
}

function parse(address: string): URL {
  if (!URL.canParse(address)) throw new FetchFailure('invalid', 'it is no address')
  return new URL(address)
}

/** The next hop. What the first address would be blamed for is the other side's fault here. */
function follow({ shown, to }: Target, location: string, locate: (url: URL) => Target): Target {
  const from = shown.protocol === 'ipfs:' ? to : shown
  if (!URL.canParse(location, from.href)) throw new FetchFailure('unreachable', 'it redirects to no address')
  const next = new URL(location, from)
  if (from.protocol === 'https:' && next.protocol !== 'https:') {
    throw new FetchFailure('unreachable', `it redirects from https: to ${next.protocol}`)
  }
  if (next.protocol === 'ipfs:') throw new FetchFailure('unreachable', 'it redirects to ipfs:')
  try {
    return locate(next)
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error
    throw new FetchFailure('unreachable', `it redirects to a refused place: ${error.message}`)
  }
}

/** The path of an ipfs URL at a gateway: the content id, then what is below it. */
function ipfsPath(url: URL): string {
  const path = url.href.slice('ipfs:'.length).replace(/^\/*(?:ipfs\/+)?/, '')
  const [id = '', ...rest] = path.split(/[?#]/, 1)[0]?.split('/') ?? []
  if (!/^[0-9A-Za-z][0-9A-Za-z_-]{0,127}$/.test(id))
    throw new FetchFailure('invalid', 'it names no ipfs content')
  if (rest.some((part) => /^(\.|%2e){1,2}$/i.test(part) || /%2f|%5c|\\/i.test(part))) {
    throw new FetchFailure('refused', 'its path leaves the ipfs content')
  }
  return [id, ...rest].join('/')
}

/**
 * A path below the operator's base. It is set, never resolved: `//elsewhere/` resolves to another host, which
 * would then be a trusted one.
 */
function below(base: string, path: string, search = ''): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  url.search = search
  return url
}

async function resolveAll(host: string): Promise<readonly Resolved[]> {
  return lookup(host, { all: true, verbatim: false })
}

/** A promise that nothing can cancel, left alone once the signal aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

const redirects = new Set([301, 302, 303, 307, 308])

/** One hop: the body, or where to go on. */
function ask(
  url: URL,
  lookup: LookupFunction | undefined,
  get: GetOptions,
  signal: AbortSignal,
): Promise<Buffer | { location: string }> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = send(url, {
      // A connection of its own: none is shared with, or kept for, another name.
      agent: false,
      signal,
      maxHeaderSize: 16_384,
      headers: { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Ridgeline' },
      ...(lookup && { lookup }),
    })
    const fail = (error: unknown): void => {
      reject(error instanceof FetchFailure ? error : connectionFailed(error))
      outgoing.destroy()
    }
    outgoing.on('error', fail)
    outgoing.on('response', (answer) => {
      answer.on('error', fail)
      try {
        const location = readHead(answer, get)
        if (location !== undefined) {
          resolve({ location })
          outgoing.destroy()
        } else readBody(answer, get.maxBytes).then(resolve, fail)
      } catch (error) {
        fail(error)
      }
    })
    outgoing.end()
  })
}

function connectionFailed(error: unknown): FetchFailure {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  return new FetchFailure('unreachable', `the connection failed (${code})`, { silent: true })
}

/** Judges an answer by its head. Returns where it redirects to, or undefined when its body is wanted. */
function readHead(answer: IncomingMessage, get: GetOptions): string | undefined {
  const { statusCode = 0, headers } = answer
  if (redirects.has(statusCode) && headers.location !== undefined) return headers.location
  if (statusCode === 429) {
    throw new FetchFailure('throttled', 'it answered 429', {
      retryAfter: retryAfter(headers['retry-after']),
    })
  }
  if (statusCode !== 200) throw new FetchFailure('unreachable', `it answered ${statusCode}`)
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!get.accepts(type)) throw new FetchFailure('type', `its content type is ${type || 'not given'}`)
  if (Number(headers['content-length'] ?? 0) > get.maxBytes) throw tooLarge(get.maxBytes)
  return undefined
}

function retryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

const tooLarge = (maxBytes: number): FetchFailure =>
  new FetchFailure('tooLarge', `it is larger than ${maxBytes} bytes`)

/** The body, counted as it comes and again as it is unpacked: a small one may unpack to gigabytes. */
async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of unpacked(answer, maxBytes)) {
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(bytes)
  }
  if (!answer.complete) throw new FetchFailure('unreachable', 'the answer broke off')
  return Buffer.concat(chunks)
}

function unpacked(answer: IncomingMessage, maxBytes: number): Readable {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return answer
  const unpack = unpackers.get(encoding)?.()
  if (!unpack) throw new FetchFailure('type', `its content encoding is ${encoding}`)
  let sent = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length
      done(sent > maxBytes ? tooLarge(maxBytes) : null, chunk)
    },
  })
  answer.on('error', (error) => counted.destroy(error))
  answer.on('aborted', () => counted.destroy(new FetchFailure('unreachable', 'the answer broke off')))
  counted.on('error', (error) => unpack.destroy(error))
  return answer.pipe(counted).pipe(unpack)
}

const unpackers = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])
