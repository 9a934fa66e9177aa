import { orLacking } from '../../../http/or-lacking.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import type { Database } from '../../../store/database.ts'
import { readTransaction, type StoredTransaction } from '../../../store/evm/read-transaction.ts'
import { unindexedTransaction } from '../unindexed.ts'

/**
 * The transaction that a path names, with its chain and the database that it was read from. One that is not indexed is
 * the node's, if it has it in a block. Throws a 404 for an unknown chain and for an unknown transaction.
 */
export async function findTransaction(
  { chains, store, nodes }: Pick<RouteContext, 'chains' | 'store' | 'nodes'>,
  { chainId, txHash }: { readonly chainId: string; readonly txHash: string },
): Promise<{
  readonly chain: Chain
  readonly database: Database
  readonly stored: StoredTransaction
  readonly isIndexed: boolean
}> {
  const chain = chains.find(chainId)
  const { database } = store.get()
  const stored = await readTransaction(database, chain.key, bytesOf(txHash))
  if (stored) return { chain, database, stored, isIndexed: true }
  const unindexed = await orLacking(
    unindexedTransaction(nodes.of(chain), chain, txHash),
    `transaction ${txHash} is not indexed on chain ${chain.id}`,
  )
  return { chain, database, stored: unindexed, isIndexed: false }
}
