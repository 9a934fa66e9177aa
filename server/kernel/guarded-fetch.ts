import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Transform, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/**
 * Why a document was not fetched. `invalid`: not a URL; `scheme`: not http, https or ipfs; `refused`: the URL
 * itself is forbidden; `unreachable`: no usable answer, or a name or a redirect led to a forbidden address;
 * `throttled`: asked too often; `tooLarge`; `type`: an unexpected content type.
 */
export type FetchFailureKind =
  'invalid' | 'scheme' | 'refused' | 'unreachable' | 'throttled' | 'tooLarge' | 'type'

export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'
  readonly kind: FetchFailureKind
  /** Seconds that the other side asked to wait. */
  readonly retryAfter: number | undefined
  /** Whether nobody answered at all, so that other documents of the host would fail as well. */
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

type GuardedFetchOptions = {
  /** Host names in lower case, with the trusted base URLs that serve them. */
  readonly hosts: Readonly<Record<string, string>>
  /** Trusted; serves `/ipfs/…` below this URL. */
  readonly ipfsGateway?: string | undefined
  /** Timeout of a document in milliseconds, with all redirects and the body. */
  readonly timeoutMs: number
  /** Resolves all addresses of a name; by default the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>
}

type GetOptions = {
  /** Limit of the body, both as sent and decompressed. */
  readonly maxBytes: number
  /** Whether a content type (lower case, without parameters) is accepted; '' if none was given. */
  readonly accepts: (type: string) => boolean
  readonly signal: AbortSignal
}

export type GuardedFetch = (address: string, options: GetOptions) => Promise<Buffer>

/** Maximum number of redirects. */
const maxRedirects = 3

/** Standard web ports and their usual alternatives; other ports belong to other services. */
export const allowedPorts: ReadonlySet<string> = new Set(['', '80', '443', '8080', '8443'])

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
  // A cloud provider's internal service on a public address.
  ['168.63.129.16', 32],
])

/**
 * Global unicast. All other IPv6 addresses are refused: loopback, `::a.b.c.d`, mapped `::ffff:0:0/96`, NAT64
 * `64:ff9b::/96` and `64:ff9b:1::/48`, discard, unique local, link-local, site-local, multicast.
 */
const unicastIPv6 = blockList('ipv6', [['2000::', 3]])
/** Exceptions within global unicast: Teredo and other protocol assignments, documentation, 6to4. */
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

/** Whether an address is global unicast: a host on the internet, not in a private network. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !specialIPv4.check(address, 'ipv4')
  if (family === 6) return unicastIPv6.check(address, 'ipv6') && !specialIPv6.check(address, 'ipv6')
  return false
}

/** The target of a request: `shown` is the public URL, `to` the URL that is requested. */
type Target = { readonly shown: URL; readonly to: URL; readonly trusted: boolean }

/**
 * Creates a function that fetches documents from untrusted URLs. Every redirect is checked: scheme,
 * credentials, port, and all addresses of the host name; the connection uses one of the checked addresses. No
 * proxy, no cookies, no connection reuse.
 *
 * The function throws FetchFailure, or the signal's reason if aborted.
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs, ipfsGateway, resolve = resolveAll } = options
  const hosts = new Map(Object.entries(options.hosts))

  /** Maps a URL to its target. Throws for URLs that are forbidden regardless of name lookup. */
  function locate(shown: URL): Target {
    if (shown.protocol === 'ipfs:') {
      if (ipfsGateway === undefined) throw new FetchFailure('unreachable', 'no ipfs gateway is configured')
      return { shown, to: below(ipfsGateway, `/ipfs/${ipfsPath(shown)}`), trusted: true }
    }
    if (shown.protocol !== 'http:' && shown.protocol !== 'https:') {
      throw new FetchFailure('scheme', `${shown.protocol} is not http:, https: or ipfs:`)
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

  /** The only lookup of a request: the connection uses the addresses checked here. */
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
        if (redirects === maxRedirects) {
          throw new FetchFailure('unreachable', `more than ${maxRedirects} redirects`)
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
  if (!URL.canParse(address)) throw new FetchFailure('invalid', 'it is not an address')
  return new URL(address)
}

/** The next target of a redirect. Errors in it are the server's fault, not that of the original URL. */
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

/** The path of an ipfs URL at a gateway: the content id and the path below it. */
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
 * A path below the operator's base URL. It is set, not resolved: `//elsewhere/` would resolve to another
 * host, which would then be trusted.
 */
function below(base: string, path: string, search = ''): URL {
  const url = new URL(base)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  url.search = search
  return url
}

export async function resolveAll(host: string): Promise<readonly Resolved[]> {
  return lookup(host, { all: true, verbatim: false })
}

/** Stops waiting for an uncancellable promise once the signal aborts. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

const redirects = new Set([301, 302, 303, 307, 308])

/** One request: returns the body or the redirect location. */
function ask(
  url: URL,
  lookup: LookupFunction | undefined,
  get: GetOptions,
  signal: AbortSignal,
): Promise<Buffer | { location: string }> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = send(url, {
      // A separate connection, which is not reused for other names.
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

/** Checks the head of an answer. Returns the redirect location, or undefined if the body is wanted. */
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

export function retryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

const tooLarge = (maxBytes: number): FetchFailure =>
  new FetchFailure('tooLarge', `it is larger than ${maxBytes} bytes`)

/**
 * Reads the body, limiting its size both as received and decompressed: a small body may decompress to
 * gigabytes.
 */
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
