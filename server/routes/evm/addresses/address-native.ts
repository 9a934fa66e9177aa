import { listNativeTransactions } from '../../../../contract/evm/addresses.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { readNativeTransactions } from '../../../store/evm/read-address-native.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import { createContractBook, readNames } from '../address-names.ts'
import { describeTransaction, partiesOf } from '../transaction-fields.ts'
import { beforeAllPlaces, placeCursor } from '../../../store/evm/read-transactions.ts'
import { openList } from '../../../http/keyset-list.ts'
import { bytesOf, resolveRange, type RouteContext } from '../../../http/route-context.ts'

/**
 * `transactions:listNative` (as in the hosted API): the transactions that an address sent or received, latest
 * first, each once.
 */
export function addressNativeRoutes(context: RouteContext): Implementation[] {
  const { chains, store, abis } = context
  const book = createContractBook(context.config)
  return [
    implement(listNativeTransactions, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const filters = { chainId: chain.id, address }
      const list = openList(context, listNativeTransactions, placeCursor, filters, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const range = await resolveRange(database, chain.key, query)
        const { rows, nextPageToken } = await list.page(
          beforeAllPlaces.desc,
          (after, limit) =>
            readNativeTransactions(database, chain.key, bytesOf(address), range, after, limit),
          ({ blockNumber, blockIndex }) => ({ number: BigInt(blockNumber), index: blockIndex }),
        )
        const names = await readNames(database, chain, book, rows.flatMap(partiesOf))
        const known = await withStored(
          abis,
          database,
          chain,
          rows.map(({ to }) => to),
        )
        return JSON.stringify({
          nextPageToken,
          transactions: rows.map((row) => describeTransaction(row, names, known, chain.id)),
        })
      })
    }),
  ]
}
