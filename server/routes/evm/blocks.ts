import { getBlock, listBlocks, listBlockTransactions, type EvmBlock } from '../../../contract/evm/blocks.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { withoutNulls } from '../../kernel/without-nulls.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import type { Database } from '../../store/database.ts'
import { readBlock, readBlockHash, readBlockNumber, readBlocks } from '../../store/evm/read-blocks.ts'
import { placeCursor, readTransactions } from '../../store/evm/read-transactions.ts'
import { listedTransaction } from './transaction-fields.ts'
import { unindexedBlock, unindexedTransactions } from './unindexed.ts'
import { orLacking } from '../../http/or-lacking.ts'
import { openList } from '../../http/keyset-list.ts'
import { bytesOf, envelope, max, min, resolveRange, type RouteContext } from '../../http/route-context.ts'
import { withStored } from '../../tokens/abi/stored.ts'

/** The block operations of the hosted API, and the block transactions of the API reference. */
export function blockRoutes(context: RouteContext): Implementation[] {
  const { chains, store, abis, nodes } = context
  return [
    implement(listBlocks, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { sortOrder } = query
      const list = openList(context, listBlocks, { number: 'bigint' }, { chainId: chain.id }, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const whole = await resolveRange(database, chain.key, query)
        const start = { number: sortOrder === 'asc' ? whole.from - 1n : whole.before }
        const { rows, nextPageToken } = await list.page(start, ({ number }, limit) => {
          const range =
            sortOrder === 'asc'
              ? { ...whole, from: max(whole.from, number + 1n) }
              : { ...whole, before: min(whole.before, number) }
          return readBlocks(database, chain.key, range, sortOrder, limit)
        })
        return envelope<EvmBlock>(
          'blocks',
          rows.map((row) => row.json),
          nextPageToken,
        )
      })
    }),

    implement(getBlock, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const number = await blockNumber(database, chain, params.blockId)
      const block = number === undefined ? undefined : await readBlock(database, chain.key, number)
      if (block) return withoutNulls(block)
      return orLacking(
        unindexedBlock(nodes.of(chain), chain, params.blockId),
        unknownBlock(chain, params.blockId),
      )
    }),

    implement(listBlockTransactions, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const number = await blockNumber(database, chain, params.blockId)
      const hash = number === undefined ? undefined : await readBlockHash(database, chain.key, number)
      const isIndexed = number !== undefined && hash !== undefined
      const place = isIndexed
        ? { number, hash, rows: undefined }
        : await orLacking(
            unindexedTransactions(nodes.of(chain), chain, params.blockId),
            unknownBlock(chain, params.blockId),
          )
      const filters = { chainId: chain.id, blockId: params.blockId.toLowerCase() }
      const shape = { ...placeCursor, hash: 'text' } as const
      const list = openList(context, listBlockTransactions, shape, filters, query)
      const start = { number: place.number, index: -1, hash: place.hash }
      const { rows, nextPageToken } = await list.page(
        start,
        async (after, limit) => {
          // Another block at this height is another list, whose rows would not continue this one.
          if (after.hash !== place.hash) {
            throw badRequest(
              'pageToken: a reorganisation replaced the block, start again from the first page',
            )
          }
          if (place.rows) return place.rows.filter(({ index }) => index > after.index).slice(0, limit)
          const range = { from: place.number, before: place.number + 1n }
          return readTransactions(database, chain.key, range, 'asc', after, limit)
        },
        (row) => ({ ...row, hash: place.hash }),
      )
      const known = await withStored(
        abis,
        database,
        chain,
        rows.map(({ to }) => to),
      )
      return new JsonText(
        envelope(
          'transactions',
          rows.map((row) => listedTransaction(row, known, chain.id)),
          nextPageToken,
        ),
      )
    }),
  ]
}

/** The height of a block id; undefined for a hash that is not indexed in the canonical chain. */
async function blockNumber(database: Database, chain: Chain, blockId: string): Promise<bigint | undefined> {
  return blockId.startsWith('0x') ? readBlockNumber(database, chain.key, bytesOf(blockId)) : BigInt(blockId)
}

const unknownBlock = (chain: Chain, blockId: string): string =>
  `block ${blockId} is not indexed on chain ${chain.id}`
