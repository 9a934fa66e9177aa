import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { KeyConfig, Limits } from '../kernel/settings/config.ts'
import { HttpError } from '../kernel/http-errors.ts'
import type { Role } from '../../contract/base/session.ts'

/** The header of API keys (docs/api.md, Keys and limits). */
export const keyHeader = 'x-service-api-key'

/** What a key or a user may do beyond reading what is open to everybody. */
export type Privilege = KeyConfig['privileges'][number]

/** The sender of a request according to its key, or to the proxy that it signed in with. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'unknown-key' }
  | {
      readonly kind: 'key'
      readonly name: string
      readonly privileges: readonly Privilege[]
      readonly requestsPerMinute: number
    }
  | {
      readonly kind: 'user'
      readonly name: string
      readonly groups: readonly string[]
      /** Undefined if no group of the user has a role. */
      readonly role: Role | undefined
      readonly privileges: readonly Privilege[]
    }

/** Whether the caller's key or role has one of the privileges. */
export function hasPrivilege(caller: Caller, ...wanted: Privilege[]): boolean {
  if (caller.kind !== 'key' && caller.kind !== 'user') return false
  return caller.privileges.some((each) => wanted.includes(each))
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Finds the user that a proxy names; undefined without one. Throws a 400 for a request that names two. */
export type FindUser = (request: FastifyRequest) => Caller | undefined

/**
 * Identifies callers by their key, else by the user that a proxy names. Keys are stored as hashes and compared in constant time, so that neither a dump
 * nor timing reveals one.
 */
export function createIdentity(
  keys: readonly KeyConfig[],
  limits: Limits,
  findUser: FindUser,
): (request: FastifyRequest) => Caller {
  const known = keys.map((entry) => ({
    hash: entry.sha256 !== undefined ? Buffer.from(entry.sha256, 'hex') : sha256(entry.key ?? ''),
    caller: {
      kind: 'key' as const,
      name: entry.name,
      privileges: entry.privileges,
      requestsPerMinute: entry.requestsPerMinute ?? limits.keyRequestsPerMinute,
    },
  }))
  return (request) => {
    const given = request.headers[keyHeader]
    if (given === undefined) return findUser(request) ?? { kind: 'anonymous' }
    const hash = sha256(String(given))
    let found: Caller = { kind: 'unknown-key' }
    for (const entry of known) {
      if (timingSafeEqual(entry.hash, hash)) found = entry.caller
    }
    return found
  }
}

declare module 'fastify' {
  // Only an interface merges with the module's own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyRequest {
    /** Set on requests within `identifyCallers`. */
    caller: Caller
  }
}

/**
 * Identifies the caller of each request. An unknown key is a 401, after the rate limit has counted the request, so
 * that guessing keys is limited too.
 */
export function identifyCallers(app: FastifyInstance, identify: (request: FastifyRequest) => Caller): void {
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request) => {
    request.caller = identify(request)
  })
  refuseCallers(app, ({ caller }) => {
    if (caller.kind === 'unknown-key') throw new HttpError(401, `${keyHeader}: unknown key`)
  })
}

/** Whether a request is for the node gateway. */
export const isForNode = ({ url }: FastifyRequest): boolean => url.startsWith('/ext/')

/**
 * Lets `refuse` throw before the body of a request is read; at the node gateway after, because its refusals have the ID of the
 * call, which is in the body.
 */
export function refuseCallers(app: FastifyInstance, refuse: (request: FastifyRequest) => void): void {
  app.addHook('preParsing', async (request) => {
    if (!isForNode(request)) refuse(request)
  })
  app.addHook('preValidation', async (request) => {
    if (isForNode(request)) refuse(request)
  })
}

/**
 * The client of a request for shared limits: its key or its user, from any address, or its address. An unknown key
 * counts as its address, so that guessing is limited too.
 */
export function clientOf({ caller, ip }: FastifyRequest): string {
  return caller.kind === 'key' || caller.kind === 'user' ? `${caller.kind} ${caller.name}` : `address ${ip}`
}
