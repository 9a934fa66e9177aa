import { getSession } from '../../../contract/network/session.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'

/** `/v1/session`: who is signed in, and what this caller may do. */
export function sessionRoutes({ config, access }: RouteContext): Implementation[] {
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
        mayReadWatch: access.denialOf(request, 'readWatch') === undefined,
        mayChangeWatch: access.denialOf(request, 'changeWatch') === undefined,
        mayAdministrate:
          administration === 'everybody' ||
          (administration !== 'off' && access.denialOf(request, 'administration') === undefined),
      }
    }),
  ]
}
