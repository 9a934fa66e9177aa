import { listNativeTransactions } from '../../../contract/evm/addresses.ts'
import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import { nameMethods } from '../../tokens/abi/method-names.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { readNativeTransactions } from '../../store/evm/read-address-native.ts'
import { createContractBook, readNames, type Names } from './address-names.ts'
import { beforeAllPlaces, placeCursor } from '../../store/evm/read-transactions.ts'
import { openList } from '../../http/keyset-list.ts'
import { bytesOf, resolveRange, type RouteContext } from '../../http/route-context.ts'

/** `transactions:listNative` (as the hosted API): what an address sent or received, latest first, each once. */
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
        const { rows, nextPageToken } = await list.page(beforeAllPlaces.desc, (after, limit) =>
          readNativeTransactions(database, chain.key, bytesOf(address), range, after, limit),
        )
        const found = rows.map((row) => parseTransaction(nameMethods(row.json, abis, chain.id)))
        const names = await readNames(database, chain, book, found.flatMap(partiesOf))
        return JSON.stringify({
          nextPageToken,
          transactions: found.map((transaction) => nameParties(transaction, names)),
        })
      })
    }),
  ]
}

/** A transaction's JSON as the store writes it. */
export const parseTransaction = (json: string): EvmTransaction => JSON.parse(json) as EvmTransaction

export const partiesOf = ({ from, to }: EvmTransaction): string[] => [from.address, to.address]

/** The transaction with what is known of its two sides. */
export function nameParties(transaction: EvmTransaction, names: Names): EvmTransaction {
  const { from, to } = transaction
  return { ...transaction, from: names.party(from.address), to: names.party(to.address) }
}
