import type { Implementation } from '../../http/bind.ts'
import { erc20BalanceRoutes } from './balance-erc20.ts'
import { nftBalanceRoutes } from './balance-nfts.ts'
import type { RouteContext } from '../../http/route-context.ts'

/** The token balances of an address at any indexed block (docs/api.md, Balances). */
export function balanceRoutes(context: RouteContext): Implementation[] {
  return [...erc20BalanceRoutes(context), ...nftBalanceRoutes(context)]
}
