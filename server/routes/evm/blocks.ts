import { getBlock, listBlocks, listBlockTransactions } from '../../../contract/evm/blocks.ts'
import type { Chain } from '../../kernel/chains.ts'
import { badRequest, notFound } from '../../kernel/http-errors.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import type { Database } from '../../store/database.ts'
import { readBlock, readBlockHash, readBlockNumber, readBlocks } from '../../store/evm/read-blocks.ts'
import { readTransactions } from '../../store/evm/read-transactions.ts'
import { nameMethods } from '../../tokens/abi/method-names.ts'
import {
  bytesOf,
  envelope,
  filtersOf,
  max,
  min,
  resolveRange,
  type RouteContext,
} from '../../http/route-context.ts'

/** The block operations of hosted.md and the block transactions of interface.md. */
export function blockRoutes({ chains, store, hotPages, abis }: RouteContext): Implementation[] {
  return [
    implement(listBlocks, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const scope = { operation: listBlocks.id, filters: filtersOf({ chainId: chain.id }, query) }
      const page = async (): Promise<string> => {
        const { database, tokens } = store.get()
        const range = await resolveRange(database, chain.key, query)
        if (query.pageToken !== undefined) {
          const [position] = tokens.openData(scope, query.pageToken)
          // The token holds the first height of the next page.
          const height = BigInt(position ?? 0)
          if (query.sortOrder === 'asc') range.from = max(range.from, height)
          else range.before = min(range.before, height + 1n)
        }
        const rows = await readBlocks(database, chain.key, range, query.sortOrder, query.pageSize + 1)
        const next = rows[query.pageSize]
        return envelope(
          'blocks',
          rows.slice(0, query.pageSize).map((row) => row.json),
          next && tokens.sealData(scope, [next.number.toString()]),
        )
      }
      if (query.pageToken !== undefined) return page().then((text) => new JsonText(text))
      const key = JSON.stringify([scope, query.pageSize])
      return hotPages.get(key, [chain.id], page)
    }),

    implement(getBlock, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const number = await blockNumber(database, chain, params.blockId)
      const block = await readBlock(database, chain.key, number)
      if (!block) throw notFound(`block ${params.blockId} is not indexed on chain ${chain.id}`)
      return new JsonText(block.json)
    }),

    implement(listBlockTransactions, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database, tokens } = store.get()
      const number = await blockNumber(database, chain, params.blockId)
      const hash = await readBlockHash(database, chain.key, number)
      if (hash === undefined) throw notFound(`block ${params.blockId} is not indexed on chain ${chain.id}`)
      const scope = {
        operation: listBlockTransactions.id,
        filters: filtersOf({ chainId: chain.id, blockId: params.blockId.toLowerCase() }, query),
      }
      let index = 0
      if (query.pageToken !== undefined) {
        const [tokenHash, tokenIndex] = tokens.openData(scope, query.pageToken)
        // Another block at this height is another list: its rows would not continue this one.
        if (tokenHash !== hash) {
          throw badRequest('pageToken: a reorganisation replaced the block, start again from the first page')
        }
        index = Number(tokenIndex)
      }
      const range = { from: number, before: number + 1n }
      const rows = await readTransactions(
        database,
        chain.key,
        range,
        'asc',
        { number, index: index - 1 },
        query.pageSize + 1,
      )
      const next = rows[query.pageSize]
      return new JsonText(
        envelope(
          'transactions',
          rows.slice(0, query.pageSize).map((row) => nameMethods(row.json, abis, chain.id)),
          next && tokens.sealData(scope, [hash, next.index]),
        ),
      )
    }),
  ]
}

/** The height that a block id means. Throws a 404 for a hash that the canonical chain does not have. */
export async function blockNumber(database: Database, chain: Chain, blockId: string): Promise<bigint> {
  if (!blockId.startsWith('0x')) return BigInt(blockId)
  const number = await readBlockNumber(database, chain.key, bytesOf(blockId))
  if (number === undefined) throw notFound(`block ${blockId} is not indexed on chain ${chain.id}`)
  return number
}
