import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { createWatchAccess } from './access.ts'
import { watchAlarmRoutes } from './alarms.ts'
import { watchChannelRoutes } from './channels.ts'
import { watchFleetRoutes } from './fleets.ts'
import { watchRuleRoutes } from './rules.ts'

/** Every operation of the validator watch (contract/watch/). */
export function watchRoutes(context: RouteContext): Implementation[] {
  const access = createWatchAccess(context.access)
  return [
    ...watchFleetRoutes(context, access),
    ...watchRuleRoutes(context, access),
    ...watchChannelRoutes(context, access),
    ...watchAlarmRoutes(context, access),
  ]
}
