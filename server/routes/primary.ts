import type { Implementation } from '../http/bind.ts'
import type { RouteContext } from '../http/route-context.ts'
import { primaryBalanceRoutes } from './primary/balances.ts'
import { primaryBlockRoutes } from './primary/blocks.ts'
import { primaryL1Routes } from './network/l1.ts'
import { primaryOverviewRoutes } from './network/overview.ts'
import { primaryRegistryRoutes } from './network/registry.ts'
import { primaryRewardRoutes } from './network/rewards.ts'
import { primaryStakingRoutes } from './network/staking.ts'
import { primaryTransactionRoutes } from './primary/transactions.ts'
import { primaryValidatorRoutes } from './network/validators.ts'
import { primaryVertexRoutes } from './primary/vertices.ts'
import { outlookRoutes } from './watch/outlook.ts'

/** All operations of the primary network: P, X and the atomic side of C (contract/primary/). */
export function primaryRoutes(context: RouteContext): Implementation[] {
  return [
    ...primaryBlockRoutes(context),
    ...primaryVertexRoutes(context),
    ...primaryTransactionRoutes(context),
    ...primaryBalanceRoutes(context),
    ...primaryOverviewRoutes(context),
    ...primaryValidatorRoutes(context),
    ...primaryStakingRoutes(context),
    ...primaryL1Routes(context),
    ...primaryRewardRoutes(context),
    ...primaryRegistryRoutes(context),
    ...outlookRoutes(context),
  ]
}
