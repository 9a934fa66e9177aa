import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { tokenHolderRoutes } from './token-holders.ts'
import { tokenListRoutes } from './token-list.ts'
import { tokenTransferRoutes } from './token-transfers.ts'

/** Token contracts with their metadata, holders and transfers (contract/tokens/tokens.ts). */
export function tokenRoutes(context: RouteContext): Implementation[] {
  return [...tokenListRoutes(context), ...tokenTransferRoutes(context), ...tokenHolderRoutes(context)]
}
