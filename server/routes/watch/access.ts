import type { FastifyRequest } from 'fastify'
import { HttpError } from '../../kernel/http-errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { LocalToken } from '../../kernel/local-token.ts'
import { implement } from '../../http/bind.ts'
import { hasPrivilege } from '../../http/identity.ts'
import { createOperatorCheck, problemWith } from '../../http/operator.ts'

/** Who may read and who may change the watch (docs/watch.md). */
export type WatchAccess = {
  mayWrite(request: FastifyRequest): boolean
  mayRead(request: FastifyRequest): boolean
  /** Implements an operation for those who may read; a 401 or 403 for others. */
  reads: typeof implement
  /** Implements an operation for those who may change something; a 401 or 403 for others. */
  writes: typeof implement
}

/**
 * Changes need a key or a user with the privilege `watch` or `administration`, from anywhere, or the local token on this
 * machine. Reading needs the same, or a user with any role, or a request from this machine, unless `watch.publicRead`
 * allows it to everybody.
 */
export function createWatchAccess(config: Config, token: LocalToken): WatchAccess {
  const { hosts } = config.gateway
  const check = createOperatorCheck(token, hosts)
  const isAllowed = ({ caller }: FastifyRequest): boolean => hasPrivilege(caller, 'watch', 'administration')
  const readDenial = (request: FastifyRequest): HttpError | undefined => {
    const { caller } = request
    if (config.watch.publicRead || isAllowed(request)) return undefined
    if (caller.kind === 'user' && caller.role !== undefined) return undefined
    const problem = problemWith(request, hosts)
    if (problem === undefined) return undefined
    return new HttpError(
      caller.kind === 'key' ? 403 : 401,
      `${problem}; a key with the privilege "watch" reads from anywhere, and watch.publicRead opens it to everybody`,
    )
  }
  const writeDenial = (request: FastifyRequest): HttpError | undefined => {
    if (isAllowed(request)) return undefined
    const denial = check(request)
    if (!denial) return undefined
    if (request.caller.kind === 'user')
      return new HttpError(403, `your role, ${request.caller.role ?? 'none'}, may not change the watch`)
    return new HttpError(denial.status, `${denial.reason}; or a key with the privilege "watch"`)
  }
  const unless =
    (denialOf: typeof readDenial): typeof implement =>
    (operation, handle, body) =>
      implement(
        operation,
        (input) => {
          const denial = denialOf(input.request)
          if (denial) throw denial
          return handle(input)
        },
        body,
      )
  return {
    mayWrite: (request) => writeDenial(request) === undefined,
    mayRead: (request) => readDenial(request) === undefined,
    reads: unless(readDenial),
    writes: unless(writeDenial),
  }
}
