import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import {
  allowedPorts,
  isPublicAddress,
  resolveAll,
  retryAfter,
  unlessAborted,
  type Resolved,
} from './guarded-fetch.ts'
import { within } from './within.ts'

/** Why something was not delivered. A `final` failure does not change by trying again. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure'
  readonly isFinal: boolean
  /** Whether the destination is one that nothing is sent to. */
  readonly isForbidden: boolean
  /** Seconds that the other side asked to wait. */
  readonly retryAfter: number | undefined
  constructor(
    message: string,
    options: { isFinal?: boolean; isForbidden?: boolean; retryAfter?: number | undefined } = {},
  ) {
    super(message)
    this.isFinal = options.isFinal ?? false
    this.isForbidden = options.isForbidden ?? false
    this.retryAfter = options.retryAfter
  }
}

export type GuardOptions = {
  /** Hosts that may be anywhere, each with a port or for all ports (`watch.hosts`). */
  readonly hosts: readonly string[]
  /** Resolves all addresses of a name; by default the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly Resolved[]>
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

/** Whether the operator lists a host, with this port or for all ports. */
function isListed(hosts: readonly string[], host: string, port: string): boolean {
  const name = isIP(bare(host)) === 6 ? `[${bare(host)}]` : host.toLowerCase()
  return hosts.includes(name) || hosts.includes(`${name}:${port}`)
}

/**
 * The addresses that a connection to a host may use: all that its name has, if the operator lists the host, or if all
 * are on the internet. The connection must use these, so that a name can't lead elsewhere once it is checked. Throws a
 * DeliveryFailure.
 */
export async function checkedAddresses(
  { hosts, resolve = resolveAll }: GuardOptions,
  host: string,
  port: string,
  signal: AbortSignal,
): Promise<readonly Resolved[]> {
  const plain = bare(host)
  const isTrusted = isListed(hosts, host, port)
  const family = isIP(plain)
  const found =
    family !== 0
      ? [{ address: plain, family }]
      : await unlessAborted(resolve(plain), signal).catch((error: unknown) => {
          if (signal.aborted) throw error
          throw new DeliveryFailure(`the name ${plain} is not known`)
        })
  if (found.length === 0) throw new DeliveryFailure(`the name ${plain} has no address`)
  const refused = isTrusted ? undefined : found.find(({ address }) => !isPublicAddress(address))
  if (refused) {
    const what = family === 0 ? `the name ${plain} leads to ${refused.address}, which` : refused.address
    throw new DeliveryFailure(
      `${what} is not a public address; the operator may list the host in watch.hosts`,
      { isFinal: family !== 0, isForbidden: true },
    )
  }
  return found
}

/** A URL that may be posted to, as far as it says itself, with its port. Throws a DeliveryFailure. */
export function checkedUrl(
  { hosts }: GuardOptions,
  text: string,
): { readonly url: URL; readonly port: string } {
  const refuse = (reason: string): never => {
    throw new DeliveryFailure(reason, { isFinal: true, isForbidden: true })
  }
  if (!URL.canParse(text)) return refuse('its URL can’t be read')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse(`${url.protocol} is not http: or https:`)
  if (url.username !== '' || url.password !== '') return refuse('its URL carries credentials')
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  if (!allowedPorts.has(url.port) && !isListed(hosts, url.hostname, port)) {
    const allowed = [...allowedPorts].filter((each) => each !== '').join(', ')
    return refuse(`Port ${port} is not allowed. Allowed: ${allowed}, and those of the hosts in watch.hosts`)
  }
  return { url, port }
}

export type Post = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type GuardedPost = (post: Post, timeoutMs: number, signal: AbortSignal) => Promise<void>

/** The most bytes of an answer that are read; senders need none of it. */
const maxBytes = 65_536

/** The statuses after which another attempt may succeed, besides those from 500 on. */
const passing = new Set([408, 409, 421, 425, 429])

/**
 * Creates a function that posts to URLs that users enter, under the same rules as the fetching of metadata: the
 * connection uses one of the checked addresses, ports are the usual ones of the web, and a redirect is not followed,
 * because it could lead to a private address. Resolves with any status from 200 to 299; otherwise throws a
 * DeliveryFailure, or the signal's reason.
 */
export function createGuardedPost(options: GuardOptions): GuardedPost {
  return async (post, timeoutMs, signal) => {
    const { url, port } = checkedUrl(options, post.url)
    return deliverWithin(timeoutMs, signal, async (deadline) => {
      const addresses = await checkedAddresses(options, url.hostname, port, deadline)
      await send(url, post, addresses, deadline)
    })
  }
}

/** Delivers within a time: throws a DeliveryFailure when it is over, or the signal's reason, instead of what `deliver` throws then. */
export const deliverWithin = (
  timeoutMs: number,
  signal: AbortSignal,
  deliver: (deadline: AbortSignal) => Promise<void>,
): Promise<void> =>
  within(
    timeoutMs,
    async (deadline) => {
      try {
        await deliver(deadline)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (deadline.aborted) throw new DeliveryFailure(`no answer within ${timeoutMs / 1000} s`)
        throw error
      }
    },
    signal,
  )

function send(
  url: URL,
  { headers, body }: Post,
  addresses: readonly Resolved[],
  signal: AbortSignal,
): Promise<void> {
  const [first] = addresses
  const lookup: LookupFunction = (_host, { all }, callback) => {
    if (all === true) callback(null, [...addresses])
    else callback(null, first?.address ?? '', first?.family ?? 0)
  }
  return new Promise((resolve, reject) => {
    const ask = url.protocol === 'https:' ? httpsRequest : httpRequest
    const outgoing = ask(url, {
      method: 'POST',
      agent: false,
      signal,
      lookup,
      maxHeaderSize: 16_384,
      headers: { 'user-agent': 'Ridgeline', ...headers, 'content-length': String(Buffer.byteLength(body)) },
    })
    const fail = (error: unknown): void => {
      reject(error instanceof DeliveryFailure ? error : connectionFailed(error))
      outgoing.destroy()
    }
    outgoing.on('error', fail)
    outgoing.on('response', (answer) => {
      const { statusCode = 0, headers: given } = answer
      let size = 0
      answer.on('error', fail)
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) answer.destroy()
      })
      // A success counts once its head is there: the receiver has taken the message.
      if (statusCode >= 200 && statusCode < 300) {
        resolve()
        answer.on('close', () => outgoing.destroy())
        answer.setTimeout(1_000, () => outgoing.destroy())
        return
      }
      const isRedirect = statusCode >= 300 && statusCode < 400
      fail(
        new DeliveryFailure(
          isRedirect ? `it answered ${statusCode}: redirects are not followed` : `it answered ${statusCode}`,
          {
            isFinal: !isRedirect && statusCode < 500 && !passing.has(statusCode),
            retryAfter: retryAfter(given['retry-after']),
          },
        ),
      )
    })
    outgoing.end(body)
  })
}

function connectionFailed(error: unknown): DeliveryFailure {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
  return new DeliveryFailure(`the connection failed (${code})`)
}
