import { listTokenTransfers } from '../../../contract/tokens/tokens.ts'
import { tokenTransfers, type TokenTransfer } from '../../tokens/abi/token-transfers.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { Queryable } from '../../store/database.ts'
import { lastBlock, lastIndex } from '../../store/read.ts'
import type { BlockRange } from '../../store/evm/read-blocks.ts'
import {
  maxLogs,
  readTransferLogs,
  type LogPlace,
  type NftOfToken,
  type TransferLog,
} from '../../store/tokens/read-token-transfers.ts'
import { createContractBook, namesOfTransfers } from '../evm/address-names.ts'
import { readWhereKept } from '../evm/kept.ts'
import { openList, type Stretch } from '../../http/keyset-list.ts'
import { bytesOf, max, min, resolveRange, type RouteContext } from '../../http/route-context.ts'
import { findToken, nftTypes, wantedType, type ErcType } from './token-fields.ts'

/** Number of logs read before a page ends early, because malformed ones are skipped. */
const maxRead = 5_000

/** A movement by its log and its index in a batch. */
type Place = LogPlace & { readonly item: number }
type Moved = { readonly log: TransferLog; readonly transfer: TokenTransfer; readonly place: Place }

type Wanted = {
  readonly database: Queryable
  readonly chain: bigint
  readonly token: string
  readonly nft: NftOfToken | undefined
  /** Only movements of this kind. */
  readonly ercType: ErcType | undefined
  readonly order: 'asc' | 'desc'
  readonly range: BlockRange
  /** The first movement of the page. */
  readonly from: Place
  readonly pageSize: number
}

type Page = Stretch<Moved, Place>

const movementCursor = { number: 'bigint', index: 'number', item: 'number' } as const

/** Whether a movement is of an id, alone or in a range. */
const isOf = ({ tokenId, lastTokenId = tokenId }: TokenTransfer, id: string): boolean =>
  BigInt(tokenId) <= BigInt(id) && BigInt(id) <= BigInt(lastTokenId)

/** The movements of a log in the list's order; a batch is reversed in a descending list. */
function movementsOf(log: TransferLog, { token, nft, ercType, order }: Wanted): Moved[] {
  const found = tokenTransfers({ index: log.index, address: token, topics: log.topics, data: log.data })
  const all = found.map((transfer, item) => ({
    log,
    transfer,
    place: { number: log.number, index: log.index, item },
  }))
  const wanted = all.filter(
    ({ transfer }) =>
      (nft === undefined || isOf(transfer, nft.tokenId)) &&
      (ercType === undefined || transfer.standard === ercType),
  )
  return order === 'asc' ? wanted : wanted.reverse()
}

/** Whether a movement of the first log is before the page. */
function isBefore({ place }: Moved, { from, order }: Wanted): boolean {
  if (place.number !== from.number || place.index !== from.index) return false
  return order === 'asc' ? place.item < from.item : place.item > from.item
}

async function readPage(wanted: Wanted): Promise<Page> {
  const { database, chain, token, nft, order, range, pageSize } = wanted
  const stop = order === 'asc' ? range.before : range.from
  const shown: Moved[] = []
  let { from }: { from: Place } = wanted
  for (let done = 0; done < maxRead;) {
    const { logs, more } = await readTransferLogs(
      database,
      chain,
      bytesOf(token),
      nft,
      order,
      from,
      stop,
      Math.min(maxLogs, pageSize + 1),
    )
    for (const log of logs) {
      for (const moved of movementsOf(log, wanted)) {
        if (isBefore(moved, wanted)) continue
        if (shown.length === pageSize) return { rows: shown, next: moved.place }
        shown.push(moved)
      }
    }
    const last = logs.at(-1)
    if (!more || !last) return { rows: shown, next: undefined }
    from =
      order === 'asc'
        ? { number: last.number, index: last.index + 1, item: 0 }
        : { number: last.number, index: last.index - 1, item: lastIndex }
    done += logs.length
  }
  return { rows: shown, next: from }
}

/** The first movement of a page: the page token's, otherwise the one at the start of the range. */
function startOf(order: 'asc' | 'desc', range: BlockRange, place: Place | undefined): Place {
  if (place && (order === 'asc' ? place.number >= range.from : place.number < range.before)) return place
  return order === 'asc'
    ? { number: range.from, index: 0, item: 0 }
    : { number: range.before - 1n, index: lastIndex, item: lastIndex }
}

/**
 * The movements of a token contract, or of one of its NFTs, by block, log and index in a batch
 * (contract/tokens/tokens.ts). A batch has one item per token.
 */
export function tokenTransferRoutes(context: RouteContext): Implementation[] {
  const { chains, config, store } = context
  const book = createContractBook(config)
  return [
    implement(listTokenTransfers, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const address = params.address.toLowerCase()
      // The same id may be written with leading zeros.
      const tokenId = query.tokenId === undefined ? undefined : BigInt(query.tokenId).toString()
      const filters = { chainId: chain.id, address, tokenId }
      const list = openList(context, listTokenTransfers, movementCursor, filters, query)
      // Only NFTs have ids.
      const types = wantedType(query.ercType) ?? (tokenId === undefined ? undefined : nftTypes)
      const { kind } = await findToken(database, chain, address, types)
      const range = await resolveRange(database, chain.key, query)
      const { value, fields } = await readWhereKept(database, chain, 'logs', range, (kept) =>
        list.walk(undefined, (place, pageSize) =>
          readPage({
            database,
            chain: chain.key,
            token: address,
            nft: tokenId === undefined ? undefined : { kind, tokenId },
            ercType: types && `ERC-${kind}`,
            order: query.sortOrder,
            range: { from: max(kept.from, 0n), before: min(kept.before, lastBlock) },
            from: startOf(query.sortOrder, kept, place),
            pageSize,
          }),
        ),
      )
      const { rows, nextPageToken } = value
      const names = await namesOfTransfers(
        database,
        chain,
        book,
        rows.map(({ transfer }) => transfer),
      )
      return {
        nextPageToken,
        transactions: rows.map(({ log, transfer }) => ({
          blockNumber: log.number.toString(),
          blockTimestamp: Number(log.ts),
          blockHash: log.block_hash,
          txHash: log.tx_hash,
          logIndex: log.index,
          from: names.party(transfer.from),
          to: names.party(transfer.to),
          ercType: transfer.standard,
          ...(transfer.standard !== 'ERC-20' && { tokenId: transfer.tokenId }),
          ...(transfer.lastTokenId !== undefined && { lastTokenId: transfer.lastTokenId }),
          ...(transfer.standard !== 'ERC-721' && { value: transfer.value }),
        })),
        ...fields,
      }
    }),
  ]
}
