import type { FastifyRequest } from 'fastify'
import { HttpError } from '../../kernel/http-errors.ts'
import type { Config } from '../../kernel/config.ts'
import type { LocalToken } from '../../kernel/local-token.ts'
import { createOperatorCheck, problemWith } from '../../http/operator.ts'

/** Who may read and who may change the watch (docs/watch.md). */
export type WatchAccess = {
  mayWrite(request: FastifyRequest): boolean
  /** Throws a 401 or 403 for callers that may not change it. */
  requireWrite(request: FastifyRequest): void
  /** Throws a 401 or 403 for callers that may not read it. */
  requireRead(request: FastifyRequest): void
}

/**
 * Changes need a key with the privilege `watch` or `administration`, from anywhere, or the local token on this machine.
 * Reading needs the same, or a request from this machine, unless `watch.publicRead` allows it to everybody.
 */
export function createWatchAccess(config: Config, token: LocalToken): WatchAccess {
  const { hosts } = config.gateway
  const check = createOperatorCheck(token, hosts)
  const hasKey = ({ caller }: FastifyRequest): boolean =>
    caller.kind === 'key' && caller.privileges.some((each) => each === 'watch' || each === 'administration')
  const mayWrite = (request: FastifyRequest): boolean => hasKey(request) || check(request) === undefined
  return {
    mayWrite,
    requireWrite(request) {
      if (hasKey(request)) return
      const denial = check(request)
      if (!denial) return
      throw new HttpError(denial.status, `${denial.reason}; or a key with the privilege "watch"`)
    },
    requireRead(request) {
      if (config.watch.publicRead || hasKey(request)) return
      const problem = problemWith(request, hosts)
      if (problem === undefined) return
      throw new HttpError(
        request.caller.kind === 'key' ? 403 : 401,
        `${problem}; a key with the privilege "watch" reads from anywhere, and watch.publicRead opens it to everybody`,
      )
    },
  }
}
