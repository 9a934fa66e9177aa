import { listNativeTransactions } from '../../../contract/evm/addresses.ts'
import type { EvmTransaction } from '../../../contract/evm/transactions.ts'
import { nameMethods } from '../../tokens/abi/method-names.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { lastBlock, lastIndex } from '../../store/read.ts'
import { readNativeTransactions } from '../../store/evm/read-address-native.ts'
import { createContractBook, readNames, type Names } from './address-names.ts'
import { bytesOf, filtersOf, resolveRange, type RouteContext } from '../../http/route-context.ts'

/** `transactions:listNative` (hosted.md): what an address sent or received, latest first, each once. */
export function addressNativeRoutes(context: RouteContext): Implementation[] {
  const { chains, store, hotPages, abis } = context
  const book = createContractBook(context.config)
  return [
    implement(listNativeTransactions, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const filters = filtersOf({ chainId: chain.id, address }, query)
      const scope = { operation: listNativeTransactions.id, filters }
      const page = async (): Promise<string> => {
        const { database, tokens } = store.get()
        const range = await resolveRange(database, chain.key, query)
        let past = { number: lastBlock, index: lastIndex }
        if (query.pageToken !== undefined) {
          const [number, index] = tokens.openData(scope, query.pageToken)
          past = { number: BigInt(number ?? 0), index: Number(index) }
        }
        const rows = await readNativeTransactions(
          database,
          chain.key,
          bytesOf(address),
          range,
          past,
          query.pageSize + 1,
        )
        const shown = rows.slice(0, query.pageSize)
        const last = shown.at(-1)
        const found = shown.map((row) => parseTransaction(nameMethods(row.json, abis, chain.id)))
        const names = await readNames(database, chain, book, found.flatMap(partiesOf))
        return JSON.stringify({
          ...(rows.length > query.pageSize &&
            last && { nextPageToken: tokens.sealData(scope, [last.number.toString(), last.index]) }),
          transactions: found.map((transaction) => nameParties(transaction, names)),
        })
      }
      if (query.pageToken !== undefined) return page().then((text) => new JsonText(text))
      return hotPages.get(JSON.stringify([scope, query.pageSize]), [chain.id], page)
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
