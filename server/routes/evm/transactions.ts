import { listTransactions } from '../../../contract/evm/transactions.ts'
import { nameMethods } from '../../tokens/abi/method-names.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { lastBlock, lastIndex } from '../../store/read.ts'
import { readTransactions } from '../../store/evm/read-transactions.ts'
import { envelope, filtersOf, resolveRange, type RouteContext } from '../../http/route-context.ts'

/** `/v1/chains/{chainId}/transactions` (hosted.md): by height and index, latest first unless asked otherwise. */
export function transactionRoutes({ chains, store, hotPages, abis }: RouteContext): Implementation[] {
  return [
    implement(listTransactions, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const scope = { operation: listTransactions.id, filters: filtersOf({ chainId: chain.id }, query) }
      const page = async (): Promise<string> => {
        const { database, tokens } = store.get()
        const range = await resolveRange(database, chain.key, query)
        let past =
          query.sortOrder === 'asc' ? { number: -1n, index: 0 } : { number: lastBlock, index: lastIndex }
        if (query.pageToken !== undefined) {
          const [number, index] = tokens.openData(scope, query.pageToken)
          past = { number: BigInt(number ?? 0), index: Number(index) }
        }
        const rows = await readTransactions(
          database,
          chain.key,
          range,
          query.sortOrder,
          past,
          query.pageSize + 1,
        )
        const shown = rows.slice(0, query.pageSize)
        const last = shown.at(-1)
        return envelope(
          'transactions',
          shown.map((row) => nameMethods(row.json, abis, chain.id)),
          rows.length > query.pageSize && last
            ? tokens.sealData(scope, [last.number.toString(), last.index])
            : undefined,
        )
      }
      if (query.pageToken !== undefined) return page().then((text) => new JsonText(text))
      const key = JSON.stringify([scope, query.pageSize])
      return hotPages.get(key, [chain.id], page)
    }),
  ]
}
