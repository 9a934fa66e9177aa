import type { IncomingHttpHeaders } from 'node:http'
import type { GatewayConfig } from '../config.ts'
import { Refusal, rpcCodes } from './errors.ts'
import type { KnownMethod } from './names.ts'

/** What is known of who asks. */
export type Asker = {
  /** The address at the other end of the connection. */
  readonly address: string | undefined
  readonly headers: IncomingHttpHeaders
}

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Headers by which a proxy says that the connection's other end is not who asks. */
const proxied = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const

/**
 * Throws a 403 for administration that the operator does not allow this caller. With `loopback` the
 * connection comes from this machine, not through a proxy, and both the host that the browser believes to talk to
 * and the page that asks are this machine's: a foreign name that resolves to 127.0.0.1 is refused.
 */
export function admitAdministration(method: KnownMethod, asker: Asker, config: GatewayConfig): void {
  if (method.facts.closedBy !== 'administration' || config.administration === 'everybody') return
  const problem = config.administration === 'off' ? 'is off' : problemWith(asker, config.hosts)
  if (problem === undefined) return
  throw new Refusal(
    rpcCodes.methodNotFound,
    `the method ${method.facts.method} is not available: administration ${problem}; the operator decides with gateway.administration`,
    { status: 403 },
  )
}

function problemWith({ address, headers }: Asker, hosts: readonly string[]): string | undefined {
  if (!isLoopback(address)) return 'is open to callers on this machine only'
  const proxy = proxied.find((name) => headers[name] !== undefined)
  if (proxy !== undefined) return `is not open through a proxy (header ${proxy})`
  const isOurs = (name: string | undefined): boolean =>
    name !== undefined && (loopbackNames.has(name) || hosts.includes(name))
  if (!isOurs(hostnameOf(`http://${headers.host ?? ''}`))) return 'is not open under this Host'
  if (headers.origin !== undefined && !isOurs(hostnameOf(headers.origin))) return 'is not open to this Origin'
  if (headers['sec-fetch-site'] === 'cross-site') return 'is not open to pages of other sites'
  return undefined
}

function isLoopback(address: string | undefined): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address ?? '')
}

/**
 * Whether a page may open a socket here: none is named, or it comes from the host that it talks to. Browsers
 * open sockets across origins without asking.
 */
export function isSameHost({ host, origin }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true
  const name = hostnameOf(origin)
  return name !== undefined && name === hostnameOf(`http://${host ?? ''}`)
}

/** The host name of an origin in lower case; undefined for what is no origin. */
function hostnameOf(origin: string): string | undefined {
  if (!/^https?:\/\/[^/\\@?#]+$/i.test(origin) || !URL.canParse(origin)) return undefined
  // A browser's own way of writing addresses: 2130706433 and 0x7f.1 are 127.0.0.1 for it too.
  return new URL(origin).hostname
}
