import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { KeyConfig, Limits } from '../kernel/config.ts'
import { HttpError } from '../kernel/http-errors.ts'

/** The header of API keys (docs/api.md, Keys and limits). */
export const keyHeader = 'x-service-api-key'

type Privilege = KeyConfig['privileges'][number]

/** The sender of a request according to its key. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'unknown-key' }
  | {
      readonly kind: 'key'
      readonly name: string
      readonly privileges: readonly Privilege[]
      readonly requestsPerMinute: number
    }

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Identifies callers by their key. Keys are stored as hashes and compared in constant time, so that neither a dump
 * nor timing reveals one.
 */
export function createIdentity(
  keys: readonly KeyConfig[],
  limits: Limits,
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
    if (given === undefined) return { kind: 'anonymous' }
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
  app.addHook('preValidation', async (request) => {
    if (request.caller.kind === 'unknown-key') throw new HttpError(401, `${keyHeader}: unknown key`)
  })
}

/**
 * The client of a request for shared limits: its key, from any address, or its address. An unknown key counts as its
 * address, so that guessing is limited too.
 */
export function clientOf({ caller, ip }: FastifyRequest): string {
  return caller.kind === 'key' ? `key ${caller.name}` : `address ${ip}`
}

/** Throws a 401 without a key and a 403 for a key that lacks the privilege. */
export function requirePrivilege(caller: Caller, privilege: Privilege): void {
  if (caller.kind !== 'key') throw new HttpError(401, `${keyHeader}: this route needs a key`)
  if (!caller.privileges.includes(privilege)) {
    throw new HttpError(403, `the key lacks the privilege "${privilege}"`)
  }
}
