import { listTransactions } from '../../../../contract/evm/transactions.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { beforeAllPlaces, placeCursor, readTransactions } from '../../../store/evm/read-transactions.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import { listedTransaction } from '../transaction-fields.ts'
import { openList } from '../../../http/keyset-list.ts'
import { envelope, resolveRange, type RouteContext } from '../../../http/route-context.ts'

/**
 * `/v1/chains/{chainId}/transactions` (as in the hosted API): by height and index, latest first by default; all, or those
 * of a status, a method, a sender or a receiver.
 */
export function transactionRoutes(context: RouteContext): Implementation[] {
  const { chains, store, abis } = context
  return [
    implement(listTransactions, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const list = openList(context, listTransactions, placeCursor, { chainId: chain.id }, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const range = await resolveRange(database, chain.key, query)
        const { rows, nextPageToken } = await list.page(beforeAllPlaces[query.sortOrder], (after, limit) =>
          readTransactions(database, chain.key, range, query.sortOrder, after, limit, query),
        )
        const known = await withStored(
          abis,
          database,
          chain,
          rows.map(({ to }) => to),
        )
        return envelope(
          'transactions',
          rows.map((row) => listedTransaction(row, known, chain.id)),
          nextPageToken,
        )
      })
    }),
  ]
}
