import { isOfEvmChain } from '../../../contract/document/statuses.ts'
import { listApprovals } from '../../../contract/evm/approvals.ts'
import { getBlock, listBlockTransactions } from '../../../contract/evm/blocks.ts'
import { readContract, readContractViews } from '../../../contract/evm/contract-code.ts'
import { simulateCall } from '../../../contract/evm/simulation.ts'
import { getTransaction } from '../../../contract/evm/transactions.ts'
import { getTransactionCalls } from '../../../contract/evm/transaction-calls.ts'
import { getTransactionChanges } from '../../../contract/evm/transaction-changes.ts'
import { getTransactionEnvelope } from '../../../contract/evm/transaction-envelope.ts'
import { getTransactionFailure } from '../../../contract/evm/transaction-failure.ts'
import { listTransactionMovements } from '../../../contract/evm/transaction-movements.ts'
import { getContractSource } from '../../../contract/evm/verification.ts'
import { getNativeBalance } from '../../../contract/tokens/balances.ts'
import { statusTopic } from '../../events/hub.ts'
import { behindOf, isBehind, readOnce, type Behind, type Rule } from '../../http/once-indexed.ts'
import type { RouteContext } from '../../http/route-context.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { readIndexed } from '../../store/evm/read-indexed.ts'

/** Those of some chains that are behind their nodes; read once for all requests until one of them moves. */
export function readBehind(
  context: Pick<RouteContext, 'store' | 'headCache'>,
  chains: readonly Chain[],
): Promise<readonly Behind[]> {
  const ids = chains.map(({ id }) => id)
  return readOnce(context, ids.join(), ids.map(statusTopic), async () => {
    const keys = chains.map(({ key }) => key)
    const rows = await readIndexed(context.store.get().database, keys)
    const byChain = new Map(rows.map((row) => [row.chain, row]))
    return chains.flatMap(({ key, id, config }) => {
      const row = byChain.get(key)
      return row && isBehind(row, config.lagLimit) ? [behindOf(config.name, id, row)] : []
    })
  })
}

/** Operations that have asked the node, too, or are of what is in no block: their 404 is not the index's. */
const isAskedElsewhere = new Set(
  [
    getBlock,
    listBlockTransactions,
    getTransaction,
    getTransactionCalls,
    getTransactionChanges,
    getTransactionEnvelope,
    getTransactionFailure,
    getNativeBalance,
    readContract,
    readContractViews,
    simulateCall,
    getContractSource,
  ].map(({ id }) => id),
)

/** The transactions of one block, which may have none, and what moved in given ones. */
const isTrueEmpty = new Set([listBlockTransactions.id, listTransactionMovements.id, listApprovals.id])

/** Operations of an EVM chain, or a group of them (server/http/once-indexed.ts). */
export const evmChainsBehind = (context: RouteContext): Rule => ({
  isOfThem: isOfEvmChain,
  isAskedElsewhere,
  isTrueEmpty,
  readBehind(_operation, { params, query }) {
    const { chainId } = { ...(query as object), ...(params as object) } as { chainId: string }
    return readBehind(context, context.chains.group(chainId).chains)
  },
})
