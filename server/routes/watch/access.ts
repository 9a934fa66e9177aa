import type { FastifyRequest } from 'fastify'
import { HttpError } from '../../kernel/http-errors.ts'
import type { Config } from '../../kernel/settings/config.ts'
import type { LocalToken } from '../../kernel/local-token.ts'
import { hasPrivilege } from '../../http/identity.ts'
import { createOperatorCheck, problemWith } from '../../http/operator.ts'

/** Who may read and who may change the watch (docs/watch.md). */
export type WatchAccess = {
  mayWrite(request: FastifyRequest): boolean
  mayRead(request: FastifyRequest): boolean
  /** Throws a 401 or 403 for callers that may not change it. */
  requireWrite(request: FastifyRequest): void
  /** Throws a 401 or 403 for callers that may not read it. */
  requireRead(request: FastifyRequest): void
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
  const mayWrite = (request: FastifyRequest): boolean => isAllowed(request) || check(request) === undefined
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
  return {
    mayWrite,
    requireWrite(request) {
      if (isAllowed(request)) return
      const denial = check(request)
      if (!denial) return
      if (request.caller.kind === 'user')
        throw new HttpError(403, `your role, ${request.caller.role ?? 'none'}, may not change the watch`)
      throw new HttpError(denial.status, `${denial.reason}; or a key with the privilege "watch"`)
    },
    mayRead: (request) => readDenial(request) === undefined,
    requireRead(request) {
      const denial = readDenial(request)
      if (denial) throw denial
    },
  }
}
