import { getSession } from '../../../contract/network/session.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { createOperatorCheck } from '../../http/operator.ts'
import type { RouteContext } from '../../http/route-context.ts'
import type { LocalToken } from '../../kernel/local-token.ts'
import { createWatchAccess } from '../watch/access.ts'

/** `/v1/session`: who is signed in, and what this caller may do. */
export function sessionRoutes({ config }: RouteContext, token: LocalToken): Implementation[] {
  const access = createWatchAccess(config, token)
  const check = createOperatorCheck(token, config.gateway.hosts)
  const { administration } = config.gateway
  return [
    implement(getSession, ({ request }) => {
      const { caller } = request
      return {
        isSignInOn: config.signIn !== undefined,
        groups: caller.kind === 'user' ? [...caller.groups] : [],
        ...(caller.kind === 'user' && {
          user: caller.name,
          ...(caller.role !== undefined && { role: caller.role }),
        }),
        mayReadWatch: access.mayRead(request),
        mayChangeWatch: access.mayWrite(request),
        mayAdministrate:
          administration === 'everybody' || (administration !== 'off' && check(request) === undefined),
      }
    }),
  ]
}
