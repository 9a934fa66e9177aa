import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { localTokenHeader, localTokenProtocols } from '../../contract/base/local-token.ts'
import type { LocalToken } from '../kernel/local-token.ts'

/** Why a request may not pass: 401 without a proof of who asks, 403 with one that is not enough. */
export type Denial = { readonly status: 401 | 403; readonly reason: string }

/** Checks whether a request comes from the operator; returns undefined if it does. */
export type OperatorCheck = (request: FastifyRequest) => Denial | undefined

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Headers that show that a proxy forwarded the request. */
const forwarding =
  /^(forwarded|via|cdn-loop|x-forwarded(-.+)?|x-original-forwarded-for|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip(v6)?|cf-ray|fastly-client-ip|fly-client-ip|x-envoy-external-address|x-appengine-user-ip|x-azure-(clientip|socketip))$/

/**
 * Creates the check of the local token (docs/gateway.md, The local token). The token is the proof. It counts only on a
 * connection from this machine, not through a proxy unless it is one of `trustedProxies` and names its client, and with
 * host names of this machine, or of `hosts`, in Host and Origin, so that a foreign name that resolves to 127.0.0.1 is
 * refused.
 */
export function createOperatorCheck(token: LocalToken, hosts: readonly string[]): OperatorCheck {
  return (request) => {
    const given = tokenOf(request)
    const problem = problemWith(request, hosts)
    if (problem !== undefined) return { status: given === undefined ? 401 : 403, reason: problem }
    if (token.matches(given)) return undefined
    const lacks = given === undefined ? 'it needs the local token' : 'the local token is another one'
    return { status: 401, reason: `${lacks}, in the header ${localTokenHeader}; ${token.place}` }
  }
}

/**
 * Why a request does not come from this machine, under its own names and not from a page of another site; undefined if
 * it does.
 */
function problemWith(request: FastifyRequest, hosts: readonly string[]): string | undefined {
  const { headers, ip } = request
  if (!isLoopback(ip)) return 'it is open to callers on this machine only'
  const proxy = Object.keys(headers).find((name) => forwarding.test(name))
  // With more addresses than the connection's, a trusted proxy has named its client: that is `ip`.
  if (proxy !== undefined && (request.ips?.length ?? 0) < 2)
    return `it is not open through a proxy (header ${proxy})`
  const isOurs = (name: string | undefined): boolean =>
    name !== undefined && (loopbackNames.has(name) || hosts.includes(name))
  if (!isOwnHost(headers, hosts)) return 'it is not open under this Host'
  if (headers.origin !== undefined && !isOurs(hostnameOf(headers.origin)))
    return 'it is not open to this Origin'
  if (headers['sec-fetch-site'] === 'cross-site') return 'it is not open to pages of other sites'
  return undefined
}

/** The token of a request: its header, or for a page's websocket one of the offered subprotocols. */
function tokenOf({ headers, ws }: FastifyRequest): string | undefined {
  const given = headers[localTokenHeader]
  if (given !== undefined) return String(given)
  const { token } = localTokenProtocols
  const offered = ws ? (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim()) : []
  return offered.find((name) => name.startsWith(token))?.slice(token.length)
}

/** Whether the Host of a request is a name of this machine, or one of `hosts`. */
export const isOwnHost = ({ host }: IncomingHttpHeaders, hosts: readonly string[]): boolean => {
  const name = hostnameOf(`http://${host ?? ''}`)
  return name !== undefined && (loopbackNames.has(name) || hosts.includes(name))
}

/** Whether an address, or the name `localhost`, is of this machine only. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address)
}

/**
 * Whether a page may open a websocket here: its origin is absent or has the requested host. Browsers open websockets
 * across origins without asking.
 */
export function isSameHost({ host, origin }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true
  const name = hostnameOf(origin)
  return name !== undefined && name === hostnameOf(`http://${host ?? ''}`)
}

/** The host name of an origin in lower case; undefined for an invalid origin. */
function hostnameOf(origin: string): string | undefined {
  if (!/^https?:\/\/[^/\\@?#]+$/i.test(origin) || !URL.canParse(origin)) return undefined
  // The browser's way of parsing addresses: 2130706433 and 0x7f.1 are also 127.0.0.1.
  return new URL(origin).hostname
}
