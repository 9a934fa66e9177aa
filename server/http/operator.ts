import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { localTokenHeader, localTokenProtocols } from '../../contract/base/local-token.ts'
import type { LocalToken } from '../kernel/local-token.ts'

/** Why a request may not act for the operator: 401 without the token, 403 from a place where none would help. */
export type Denial = { readonly status: 401 | 403; readonly reason: string }

/** Judges whether a request comes from the operator; undefined where it does. */
export type OperatorCheck = (request: FastifyRequest) => Denial | undefined

const loopbackNames: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Headers by which a proxy says that the other end of the connection is not who asks. */
const forwarding =
  /^(forwarded|via|cdn-loop|x-forwarded(-.+)?|x-original-forwarded-for|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip(v6)?|cf-ray|fastly-client-ip|fly-client-ip|x-envoy-external-address|x-appengine-user-ip|x-azure-(clientip|socketip))$/

/**
 * Makes the check (docs/gateway.md, The local token). A key with the privilege `administration` is the operator's
 * from anywhere. Everybody else needs three things: a connection of this machine, not through a proxy unless that is
 * one of `trustedProxies` and says whom it asks for; names of this machine, or of `hosts`, in Host and Origin, so that
 * a foreign name that resolves to 127.0.0.1 is refused; and the local token.
 */
export function createOperatorCheck(token: LocalToken, hosts: readonly string[]): OperatorCheck {
  return (request) => {
    const { caller } = request
    if (caller.kind === 'key' && caller.privileges.includes('administration')) return undefined
    const problem = problemWith(request, hosts)
    if (problem !== undefined)
      return {
        status: 403,
        reason: `${problem}; a key with the privilege "administration" is taken from anywhere`,
      }
    const given = tokenOf(request)
    if (token.matches(given)) return undefined
    const lacks = given === undefined ? 'it needs the local token' : 'the local token is another one'
    return { status: 401, reason: `${lacks}, in the header ${localTokenHeader}; ${token.place}` }
  }
}

function problemWith(request: FastifyRequest, hosts: readonly string[]): string | undefined {
  const { headers, ip } = request
  if (!isLoopback(ip)) return 'it is open to callers on this machine only'
  const proxy = Object.keys(headers).find((name) => forwarding.test(name))
  // With more addresses than the connection's, a trusted proxy has said whom it asks for: that is `ip`.
  if (proxy !== undefined && (request.ips?.length ?? 0) < 2)
    return `it is not open through a proxy (header ${proxy})`
  const isOurs = (name: string | undefined): boolean =>
    name !== undefined && (loopbackNames.has(name) || hosts.includes(name))
  if (!isOurs(hostnameOf(`http://${headers.host ?? ''}`))) return 'it is not open under this Host'
  if (headers.origin !== undefined && !isOurs(hostnameOf(headers.origin)))
    return 'it is not open to this Origin'
  if (headers['sec-fetch-site'] === 'cross-site') return 'it is not open to pages of other sites'
  return undefined
}

/** The token of a request: its header, or for a websocket of a page one of the subprotocols that it offers. */
function tokenOf({ headers, ws }: FastifyRequest): string | undefined {
  const given = headers[localTokenHeader]
  if (given !== undefined) return String(given)
  const { token } = localTokenProtocols
  const offered = ws ? (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim()) : []
  return offered.find((name) => name.startsWith(token))?.slice(token.length)
}

function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\.\d+\.\d+\.\d+$|^::1$/.test(address)
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
