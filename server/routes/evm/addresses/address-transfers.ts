import {
  listErc1155Transfers,
  listErc20Transfers,
  listErc721Transfers,
} from '../../../../contract/evm/addresses.ts'
import { tokenTransfers, type TokenTransfer } from '../../../tokens/abi/token-transfers.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { Database } from '../../../store/database.ts'
import type { BlockRange } from '../../../store/evm/read-blocks.ts'
import { readTransferLogs, type PlacedLog, type TransferKind } from '../../../store/evm/read-address-logs.ts'
import { beforeAllPlaces, placeCursor, type Place } from '../../../store/evm/read-transactions.ts'
import { createContractBook, describeTransfer, namesOfTransfers } from '../address-names.ts'
import { readWhereKept } from '../kept.ts'
import { openList, type Stretch } from '../../../http/keyset-list.ts'
import { resolveRange, type RouteContext } from '../../../http/route-context.ts'

const operations = {
  'ERC-20': listErc20Transfers,
  'ERC-721': listErc721Transfers,
  'ERC-1155': listErc1155Transfers,
} as const

/**
 * `transactions:listErc20`, `:listErc721` (as in the hosted API) and `:listErc1155` (docs/api.md, Addresses):
 * the transfers that an address sent or received, latest first; a transfer to itself appears once.
 */
export function addressTransferRoutes(context: RouteContext): Implementation[] {
  return (['ERC-20', 'ERC-721', 'ERC-1155'] as const).map((kind) => transferRoute(context, kind))
}

function transferRoute(context: RouteContext, kind: TransferKind): Implementation {
  const { chains, store } = context
  const operation = operations[kind]
  const book = createContractBook(context.config)
  return implement(operation, ({ params, query }) => {
    const chain = chains.find(params.chainId)
    const address = params.address.toLowerCase()
    const list = openList(context, operation, cursorShape, { chainId: chain.id, address }, query)
    return list.answer([chain.id], async () => {
      const { database } = store.get()
      const range = await resolveRange(database, chain.key, query)
      const { value, fields } = await readWhereKept(database, chain, 'logs', range, (kept) =>
        list.walk(start, (after, pageSize) =>
          readTransfers(database, chain, address, kind, kept, after, pageSize),
        ),
      )
      const { rows, nextPageToken } = value
      const moved = rows.map(({ transfer }) => transfer)
      const names = await namesOfTransfers(database, chain, book, moved)
      return JSON.stringify({
        nextPageToken,
        transactions: rows.map(({ transfer, log }) => ({
          ...describeTransfer[kind](transfer, names),
          ...placeOf(log),
        })),
        ...fields,
      })
    })
  })
}

const placeOf = ({ number, ts, blockHash, txHash }: PlacedLog) => ({
  blockNumber: number.toString(),
  blockTimestamp: ts,
  blockHash,
  txHash,
})

/**
 * The position in a list: before this log or, if `shown` is not 0, after that many items of the log. A page
 * may end inside a batch.
 */
type Cursor = Place & { readonly shown: number }

const cursorShape = { ...placeCursor, shown: 'number' } as const
const start: Cursor = { ...beforeAllPlaces.desc, shown: 0 }

type Item = { readonly log: PlacedLog; readonly transfer: TokenTransfer }

/** Reads per page. Malformed transfer logs are skipped; if they fill all reads, the page is short. */
const maxReads = 4

async function readTransfers(
  database: Database,
  chain: Chain,
  address: string,
  kind: TransferKind,
  range: BlockRange,
  start: Cursor,
  pageSize: number,
): Promise<Stretch<Item, Cursor>> {
  const items: Item[] = []
  let past: Place = start.shown > 0 ? { number: start.number, index: start.index + 1 } : start
  for (let reads = 0; reads < maxReads; reads += 1) {
    const logs = await readTransferLogs(database, chain.key, address, kind, range, past, pageSize + 1)
    for (const log of logs) {
      const { data } = log
      if (data === null) break
      const resumed = log.number === start.number && log.index === start.index
      const skip = resumed ? start.shown : 0
      const room = pageSize - items.length
      const moved = tokenTransfers({ ...log, data }, skip, room + 1)
      items.push(...moved.slice(0, room).map((transfer) => ({ log, transfer })))
      if (moved.length > room) {
        // A full page ends after its last log, otherwise inside this one.
        const next = room > 0 ? { ...placed(log), shown: skip + room } : { ...placed(past), shown: 0 }
        return { rows: items, next }
      }
      past = log
    }
    if (logs.length <= pageSize && logs.every(({ data }) => data !== null)) {
      return { rows: items, next: undefined }
    }
  }
  return { rows: items, next: { ...placed(past), shown: 0 } }
}

const placed = ({ number, index }: Place): Place => ({ number, index })
