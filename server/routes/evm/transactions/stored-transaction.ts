import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { notFound } from '../../../kernel/http-errors.ts'
import type { Database } from '../../../store/database.ts'
import { readTransaction, type StoredTransaction } from '../../../store/evm/read-transaction.ts'

/**
 * The transaction that a path names, with its chain and the database that it was read from. Throws a 404 for an
 * unknown chain and for a transaction that is not indexed.
 */
export async function findTransaction(
  { chains, store }: Pick<RouteContext, 'chains' | 'store'>,
  { chainId, txHash }: { readonly chainId: string; readonly txHash: string },
): Promise<{ readonly chain: Chain; readonly database: Database; readonly stored: StoredTransaction }> {
  const chain = chains.find(chainId)
  const { database } = store.get()
  const stored = await readTransaction(database, chain.key, bytesOf(txHash))
  if (!stored) throw notFound(`transaction ${txHash} is not indexed on chain ${chain.id}`)
  return { chain, database, stored }
}
