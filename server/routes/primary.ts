import type { Implementation } from '../http/bind.ts'
import type { RouteContext } from './context.ts'
import { primaryBalanceRoutes } from './primary-balances.ts'
import { primaryBlockRoutes } from './primary-blocks.ts'
import { primaryL1Routes } from './primary-l1.ts'
import { primaryOverviewRoutes } from './primary-overview.ts'
import { primaryRegistryRoutes } from './primary-registry.ts'
import { primaryRewardRoutes } from './primary-rewards.ts'
import { primaryStakingRoutes } from './primary-staking.ts'
import { primaryTransactionRoutes } from './primary-transactions.ts'
import { primaryValidatorRoutes } from './primary-validators.ts'
import { primaryVertexRoutes } from './primary-vertices.ts'

/** Every operation of the primary network: P, X and the atomic side of C (contract/primary-*.ts). */
export function primaryRoutes(context: RouteContext): Implementation[] {
  return [
    ...primaryOverviewRoutes(context),
    ...primaryBlockRoutes(context),
    ...primaryVertexRoutes(context),
    ...primaryTransactionRoutes(context),
    ...primaryBalanceRoutes(context),
    ...primaryValidatorRoutes(context),
    ...primaryStakingRoutes(context),
    ...primaryL1Routes(context),
    ...primaryRewardRoutes(context),
    ...primaryRegistryRoutes(context),
  ]
}
