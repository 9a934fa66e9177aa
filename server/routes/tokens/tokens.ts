import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { tokenHolderRoutes } from './token-holders.ts'
import { tokenListRoutes } from './token-list.ts'
import { tokenTransferRoutes } from './token-transfers.ts'

/** Token contracts: what they are, who holds them, and how they move (contract/tokens/tokens.ts). */
export function tokenRoutes(context: RouteContext): Implementation[] {
  return [...tokenListRoutes(context), ...tokenTransferRoutes(context), ...tokenHolderRoutes(context)]
}
