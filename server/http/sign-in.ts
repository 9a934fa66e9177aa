import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { roles, type Role } from '../../contract/base/session.ts'
import { getSession } from '../../contract/network/session.ts'
import { getWatchFeed } from '../../contract/watch/alarms.ts'
import { addressesOf } from '../kernel/address-range.ts'
import { evictOldest } from '../kernel/evict-oldest.ts'
import { HttpError } from '../kernel/http-errors.ts'
import type { SignInSettings } from '../kernel/settings/sign-in.ts'
import { routePath } from './bind.ts'
import { refuseCallers, type FindUser, type Privilege } from './identity.ts'
import { isSameHost, type OperatorCheck } from './operator.ts'

/** The header in which a proxy shows that it is the one that signs people in. */
const proxySecretHeader = 'x-ridgeline-proxy-secret'

/** The privileges of keys that each role has. */
const privilegesOf: Readonly<Record<Role, readonly Privilege[]>> = {
  read: [],
  watch: ['watch'],
  administrate: ['watch', 'administration', 'prometheus', 'sql', 'verify'],
}

/** The seconds in which ignored headers of one address are logged once, and the addresses that are remembered. */
const warningSeconds = 60
const maxWarned = 1_000

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Finds the user that a proxy names (docs/sign-in.md). What counts is the address of the connection itself, never one in
 * X-Forwarded-For. The headers of any other sender, or of one that does not know the secret, are ignored and logged. A
 * header that is given twice is refused: a proxy that adds its header to the client's lets clients choose their name.
 */
export function createFindUser(settings: SignInSettings | undefined, clock: () => number): FindUser {
  if (settings === undefined) return () => undefined
  const { userHeader, groupsHeader, secret } = settings
  const proxies = addressesOf(settings.proxies)
  const secretHash = secret === undefined ? undefined : sha256(secret)
  const warned = new Map<string, number>()

  const warn = (request: FastifyRequest, address: string, reason: string): void => {
    if (clock() - (warned.get(address) ?? -Infinity) < warningSeconds) return
    warned.set(address, clock())
    evictOldest(warned, maxWarned)
    request.log.warn({ address, reason }, 'a header that names a user is ignored')
  }

  return (request) => {
    const { headers } = request
    if (headers[userHeader] === undefined && headers[groupsHeader] === undefined) return undefined
    const address = request.socket.remoteAddress ?? ''
    if (!proxies.has(address)) {
      warn(request, address, 'the address is not in signIn.proxies')
      return undefined
    }
    const given = sha256(String(headers[proxySecretHeader] ?? ''))
    if (secretHash !== undefined && !timingSafeEqual(given, secretHash)) {
      warn(request, address, `${proxySecretHeader} is not signIn.secret`)
      return undefined
    }
    refuseTwice(request, [userHeader, groupsHeader])
    const name = textOf(headers[userHeader])
    if (name === '') return undefined
    const groups = textOf(headers[groupsHeader])
      .split(',')
      .map((group) => group.trim())
      .filter((group) => group !== '')
    const role = roles.findLast((each) =>
      settings.roles[each].some((group) => group === '*' || groups.includes(group)),
    )
    return { kind: 'user', name, groups, role, privileges: role === undefined ? [] : privilegesOf[role] }
  }
}

/** Throws a 400 if one of the headers is given twice: Node joins the values, of which one may be the client's. */
function refuseTwice({ raw, log }: FastifyRequest, names: readonly string[]): void {
  const given = raw.rawHeaders.filter((_text, place) => place % 2 === 0).map((name) => name.toLowerCase())
  const twice = names.find((name) => given.filter((each) => each === name).length > 1)
  if (twice === undefined) return
  log.warn({ header: twice }, 'the proxy sends two headers that name a user: it must replace the client’s')
  throw new HttpError(400, `${twice}: the header is given twice`)
}

/** The text of a header; Node reads its bytes as Latin-1, and proxies send names as UTF-8. */
const textOf = (header: string | readonly string[] | undefined): string =>
  Buffer.from(String(header ?? ''), 'latin1')
    .toString('utf8')
    .trim()

/** Routes with a rule of their own: who is signed in, feeds whose path is a secret, the figures of Prometheus. */
const open = new Set<string>(
  [getSession.path, getWatchFeed.path, '/metrics', '/metrics/validators'].map(routePath),
)

/**
 * With sign-in, requires a user with a role, a key, or the local token for everything but the dashboard's files. A user
 * changes nothing from a page of another site: browsers send the proxy's cookie there too.
 */
export function requireSignIn(
  app: FastifyInstance,
  settings: SignInSettings | undefined,
  isDenied: OperatorCheck,
): void {
  if (settings === undefined) return
  refuseCallers(app, (request) => {
    const { caller, headers, method } = request
    if (open.has(request.routeOptions.url ?? '')) return
    if (caller.kind === 'user') {
      if (caller.role === undefined)
        throw new HttpError(
          403,
          `you are signed in as ${caller.name}, but none of your groups has a role here`,
        )
      const isReading = method === 'GET' || method === 'HEAD'
      const site = headers['sec-fetch-site'] ?? 'none'
      if (!isReading && (!isSameHost(headers) || !['same-origin', 'none'].includes(String(site))))
        throw new HttpError(403, 'a user changes nothing from a page of another site')
    } else if (caller.kind === 'anonymous' && !settings.anonymous && isDenied(request) !== undefined) {
      throw new HttpError(401, 'you are not signed in; the proxy in front of this service signs you in')
    }
  })
  if (settings.anonymous) return
  // A cache that several people share must not keep what one of them was allowed to read.
  app.addHook('onSend', async (_request, reply) => {
    const cached = reply.getHeader('cache-control')
    if (typeof cached === 'string')
      void reply.header('cache-control', cached.replace(/\bpublic\b/, 'private'))
  })
}
