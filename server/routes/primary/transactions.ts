import type { z } from 'zod'
import { getPrimaryTransaction, listPrimaryTransactions } from '../../../contract/primary/transactions.ts'
import { badRequest, notFound } from '../../kernel/http-errors.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import type { Queryable } from '../../store/database.ts'
import { lastIndex } from '../../store/read.ts'
import {
  pastAllHeights,
  readHeightsBetween,
  type Order,
  type TxPlace,
} from '../../store/primary/read-primary.ts'
import {
  readAddressTxPlaces,
  readTxById,
  readTxPlaces,
  readTxRows,
  readValidationTxPlaces,
  type TxWalk,
} from '../../store/primary/read-transactions.ts'
import { readVerticesOf } from '../../store/primary/read-vertices.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'
import { addressesOf, idOf } from '../../primary/request-values.ts'
import { chainInfoOf, findPrimaryChain, type ServedChain } from '../../primary/served-network.ts'
import { openView } from './context.ts'
import { fillPage } from './page.ts'
import { transactionAnswers } from './transaction-fields.ts'
import { txTypeFilter } from '../../primary/transaction-types.ts'

/** Inputs and outputs after which a page ends, whatever its size (interface.md, rule 2; docs/api.md). */
export const mostUtxos = 1_000

/** The place before all transactions of a walk. */
const start = {
  asc: { height: -2n, index: -1 },
  desc: { height: pastAllHeights, index: lastIndex },
} as const satisfies Record<Order, TxPlace>

type Wanted = {
  readonly addresses: readonly Buffer[] | undefined
  readonly validation: Buffer | undefined
  readonly types: ReturnType<typeof txTypeFilter>
  readonly after: number | undefined
  readonly before: number | undefined
}

/** The places of a page's transactions, one more than the page has room for where there are more. */
async function walk(
  database: Queryable,
  chain: ServedChain,
  wanted: Wanted,
  from: TxPlace,
  order: Order,
  limit: number,
): Promise<TxWalk> {
  const { addresses, validation, after, before } = wanted
  if (!addresses && !validation) {
    return { rows: await readTxPlaces(database, chain.key, from, order, limit), horizon: undefined }
  }
  const range = await readHeightsBetween(database, chain.key, after, before)
  const filter = { range, ...wanted.types, after, before }
  if (validation) {
    return {
      rows: await readValidationTxPlaces(
        database,
        chain.key,
        validation,
        addresses,
        filter,
        from,
        order,
        limit,
      ),
      horizon: undefined,
    }
  }
  return fillPage(limit, from, (past, missing, lookAt) =>
    readAddressTxPlaces(database, chain.key, addresses ?? [], filter, past, order, missing, lookAt),
  )
}

/** The transactions of the P-, X- and C-chain (interface.md, Primary network operations, rules 1, 2 and 5). */
export function primaryTransactionRoutes({ config, store }: RouteContext): Implementation[] {
  return [
    implement(listPrimaryTransactions, async ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      checkRange(query)
      if (query.l1ValidationId !== undefined && chain.alias !== 'p-chain') {
        throw badRequest(['l1ValidationId: is supported on the P-chain only'])
      }
      const wanted: Wanted = {
        addresses: query.addresses && addressesOf(chain, query.addresses, chain.alias === 'c-chain'),
        validation:
          query.l1ValidationId === undefined ? undefined : idOf('l1ValidationId', query.l1ValidationId),
        types: txTypeFilter(chain.alias, query.txTypes),
        after: query.startTimestamp,
        before: query.endTimestamp,
      }
      const scope = {
        operation: listPrimaryTransactions.id,
        filters: filtersOf({ chain: chain.key }, query),
      }
      const { database, tokens } = store.get()
      let from: TxPlace = start[query.sortOrder]
      if (query.pageToken !== undefined) {
        const [height = 0, index] = tokens.openData(scope, query.pageToken)
        from = { height: BigInt(height), index: Number(index) }
      }
      const { rows: found, horizon } = await walk(
        database,
        chain,
        wanted,
        from,
        query.sortOrder,
        query.pageSize + 1,
      )
      let utxos = 0
      const fits = found.findIndex((each, index) => {
        utxos += each.utxo_count
        return index === query.pageSize || (utxos > mostUtxos && index > 0)
      })
      const shown = fits === -1 ? found : found.slice(0, fits)
      const next = fits === -1 ? horizon : shown.at(-1)
      const view = await openView(database, chain)
      const rows = await readTxRows(database, chain.key, shown)
      const answer: z.input<typeof listPrimaryTransactions.response> = {
        ...(next && { nextPageToken: tokens.sealData(scope, [next.height.toString(), next.index]) }),
        transactions: await transactionAnswers(database, view, chain, rows),
        chainInfo: chainInfoOf(chain),
      }
      return new JsonText(toJson(answer))
    }),

    implement(getPrimaryTransaction, async ({ params }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const id = idOf('txHash', params.txHash)
      const { database } = store.get()
      const row = await readTxById(database, chain.key, id)
      if (!row) {
        throw notFound(`transaction ${params.txHash} is not indexed on the ${chain.alias} of ${chain.id}`)
      }
      const view = await openView(database, chain)
      const [answer] = await transactionAnswers(database, view, chain, [row])
      if (!answer) throw notFound(`transaction ${params.txHash} is not indexed`)
      const vertices =
        chain.alias === 'x-chain' && row.height < 0n ? await readVerticesOf(database, chain.key, id) : []
      return {
        ...answer,
        ...(vertices.length > 0 && {
          vertices: vertices.map((vertex) => ({
            hash: view.texts.id(vertex.id),
            height: Number(vertex.height),
            timestamp: Number(vertex.ts),
          })),
        }),
        // As nodes take and give it: behind the codec's version, which is 0.
        txBytes: `0x0000${hexText(row.bytes).slice(2)}`,
      }
    }),
  ]
}
