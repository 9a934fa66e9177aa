import type { FastifyRequest } from 'fastify'
import { hasPrivilege } from '../../http/identity.ts'
import { problemWith } from '../../http/operator.ts'
import type { Config } from '../../kernel/settings/config.ts'
import { HttpError } from '../../kernel/http-errors.ts'

/**
 * Throws for callers that may not run statements: everybody but callers on this machine, and keys and users with the privilege
 * `sql` or `administration`, unless `sql.public` opens it (docs/sql.md, Who may ask).
 */
export function requireSql({ sql, gateway }: Config, request: FastifyRequest): void {
  if (!sql.enabled) throw new HttpError(403, 'SQL is turned off here (sql.enabled)')
  const { caller } = request
  if (sql.public) return
  if (hasPrivilege(caller, 'sql', 'administration')) return
  const problem = problemWith(request, gateway.hosts)
  if (problem === undefined) return
  throw new HttpError(
    caller.kind === 'key' || caller.kind === 'user' ? 403 : 401,
    `${problem}; a key with the privilege "sql" is taken from anywhere, and sql.public opens it to everybody`,
  )
}
