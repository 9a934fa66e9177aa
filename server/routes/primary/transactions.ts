import type { z } from 'zod'
import {
  getPrimaryTransaction,
  listPrimaryTransactions,
  listPrimaryTransactionsByType,
} from '../../../contract/primary/transactions.ts'
import { badRequest, notFound } from '../../kernel/http-errors.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { orLacking } from '../../http/or-lacking.ts'
import { toJson } from '../../http/json.ts'
import { hexText } from '../../../protocol/ids/text.ts'
import type { Queryable } from '../../store/database.ts'
import {
  beforeAllTxs,
  readHeightsBetween,
  txCursor,
  type Order,
  type TxPlace,
} from '../../store/primary/read-primary.ts'
import {
  readAddressTxPlaces,
  readSubnetTxPlaces,
  readTxById,
  readTxPlaces,
  readTxRows,
  readTypeTxPlaces,
  readValidationTxPlaces,
  type PlacedTx,
} from '../../store/primary/read-transactions.ts'
import { cut, cutByWeight, fillPage, openList, type Stretch } from '../../http/keyset-list.ts'
import { checkRange, type RouteContext } from '../../http/route-context.ts'
import { addressesOf, idOf } from '../../primary/request-values.ts'
import { chainInfoOf, findPrimaryChain, type ServedChain } from '../../primary/served-network.ts'
import { openView } from './context.ts'
import { transactionAnswers, unindexedAnswer } from './transaction-fields.ts'
import { openCurrentAssets, withAvax } from './unindexed.ts'
import { unindexedPrimaryTransaction } from './unindexed-transaction.ts'
import { txTypeFilter } from '../../primary/transaction-types.ts'

/**
 * Number of inputs and outputs after which a page ends, regardless of its size (docs/api.md, Primary
 * network).
 */
export const maxUtxos = 1_000

/** A transaction as nodes accept and return it: with the codec version, which is 0. */
const withCodecVersion = (bytes: Uint8Array): string => `0x0000${hexText(bytes).slice(2)}`

type Wanted = {
  readonly addresses: readonly Buffer[] | undefined
  readonly validation: Buffer | undefined
  readonly subnet: Buffer | undefined
  readonly types: ReturnType<typeof txTypeFilter>
  readonly after: number | undefined
  readonly before: number | undefined
}

/** The positions of a page's transactions. */
async function walk(
  database: Queryable,
  chain: ServedChain,
  wanted: Wanted,
  from: TxPlace,
  order: Order,
  pageSize: number,
): Promise<Stretch<PlacedTx, TxPlace>> {
  const { addresses, validation, subnet, types, after, before } = wanted
  const isWhole = [addresses, validation, subnet, types.types, after, before].every(
    (filter) => filter === undefined,
  )
  if (isWhole) {
    return cut(await readTxPlaces(database, chain.key, from, order, pageSize + 1), pageSize)
  }
  const range = await readHeightsBetween(database, chain.key, after, before)
  const filter = { range, ...types, after, before }
  if (validation) {
    const limit = pageSize + 1
    return cut(
      await readValidationTxPlaces(database, chain.key, validation, addresses, filter, from, order, limit),
      pageSize,
    )
  }
  if (subnet) {
    return cut(
      await readSubnetTxPlaces(database, chain.key, subnet, filter, from, order, pageSize + 1),
      pageSize,
    )
  }
  return fillPage(pageSize, from, (past, missing, lookAt) =>
    addresses
      ? readAddressTxPlaces(database, chain.key, addresses, filter, past, order, missing, lookAt)
      : readTypeTxPlaces(database, chain.key, filter, past, order, missing, lookAt),
  )
}

/** The transactions of the P-, X- and C-Chain (docs/api.md, Primary network). */
export function primaryTransactionRoutes(context: RouteContext): Implementation[] {
  const { config, store, nodes } = context
  /** A page of a list, in the answer that both lists have. */
  const answerPage = async <
    Cursored extends typeof listPrimaryTransactions | typeof listPrimaryTransactionsByType,
  >(
    operation: Cursored,
    chain: ServedChain,
    query: z.output<typeof listPrimaryTransactionsByType.query>,
    wanted: Wanted,
  ): Promise<JsonText> => {
    const { database } = store.get()
    const list = openList(context, operation, txCursor, { chain: chain.key }, query)
    const page = await list.walk(beforeAllTxs[query.sortOrder], async (after, pageSize) =>
      cutByWeight(
        await walk(database, chain, wanted, after, query.sortOrder, pageSize),
        maxUtxos,
        (row) => row.utxo_count,
      ),
    )
    const view = await openView(database, chain)
    const rows = await readTxRows(database, chain.key, page.rows)
    const answer: z.input<typeof listPrimaryTransactions.response> = {
      nextPageToken: page.nextPageToken,
      transactions: await transactionAnswers(database, view, chain, rows),
      chainInfo: chainInfoOf(chain),
    }
    return new JsonText(toJson(answer))
  }
  return [
    implement(listPrimaryTransactions, ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      checkRange(query)
      if (query.l1ValidationId !== undefined && chain.alias !== 'p-chain') {
        throw badRequest(['l1ValidationId: is supported on the P-Chain only'])
      }
      return answerPage(listPrimaryTransactions, chain, query, {
        addresses: query.addresses && addressesOf(chain, query.addresses, chain.alias === 'c-chain'),
        validation:
          query.l1ValidationId === undefined ? undefined : idOf('l1ValidationId', query.l1ValidationId),
        subnet: undefined,
        types: txTypeFilter(chain.alias, query.txTypes),
        after: query.startTimestamp,
        before: query.endTimestamp,
      })
    }),

    implement(listPrimaryTransactionsByType, ({ params, query }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      checkRange(query)
      const subnet = query.subnetId === undefined ? undefined : idOf('subnetId', query.subnetId)
      if (subnet && chain.alias !== 'p-chain') {
        throw badRequest(['subnetId: is supported on the P-Chain only'])
      }
      // The Primary Network's would be all staking there is: that is a filter by type.
      if (subnet?.every((byte) => byte === 0) === true) {
        throw badRequest(['subnetId: is for subnets other than the Primary Network'])
      }
      return answerPage(listPrimaryTransactionsByType, chain, query, {
        addresses: undefined,
        validation: undefined,
        subnet,
        types: txTypeFilter(chain.alias, query.txTypes),
        after: query.startTimestamp,
        before: query.endTimestamp,
      })
    }),

    implement(getPrimaryTransaction, async ({ params }) => {
      const chain = findPrimaryChain(config, params.network, params.blockchainId)
      const id = idOf('txHash', params.txHash)
      const { database } = store.get()
      const row = await readTxById(database, chain.key, id)
      const view = await openView(database, chain)
      if (!row) {
        const [shown, tx] = await orLacking(
          Promise.all([
            withAvax(nodes, view),
            unindexedPrimaryTransaction(nodes, chain, view, params.txHash),
          ]).then(([now, found]) => found && ([now, found] as const)),
          `transaction ${params.txHash} is not indexed on the ${chain.alias} of ${chain.id}`,
        )
        return {
          ...(await unindexedAnswer(database, shown, chain, tx, (assets) =>
            openCurrentAssets(nodes, database, shown, assets),
          )),
          isIndexed: false as const,
          txBytes: withCodecVersion(tx.bytes),
        }
      }
      const [answer] = await transactionAnswers(database, view, chain, [row])
      if (!answer) throw notFound(`transaction ${params.txHash} is not indexed`)
      return {
        ...answer,
        txBytes: withCodecVersion(row.bytes),
      }
    }),
  ]
}
