import {
  listCollectibleBalances,
  listErc1155Balances,
  listErc721Balances,
  type NativeTokenBalance,
} from '../../../contract/tokens/balances.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import type { Operation } from '../../../contract/base/operation.ts'
import type { Database } from '../../store/database.ts'
import {
  readNftBalances,
  type BalanceBlock,
  type NftBalanceRow,
  type NftKind,
  type NftPlace,
} from '../../store/tokens/read-balance.ts'
import { createContractBook, nameOfCollection, readNames, type Names } from '../evm/address-names.ts'
import { blockCursor, resolveBalanceBlock } from './balance-block.ts'
import { nativeTokenBalanceAt } from './balance-node.ts'
import { cut, openList, type Stretch } from '../../http/keyset-list.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'

/** Number of ids read before a page ends early, because ids that were given away are skipped. */
const maxLookedAt = 20_000

type Held = NftBalanceRow & { readonly kind: NftKind }
type Place = NftPlace & { readonly kind: NftKind }

const nftCursor = { ...blockCursor, kind: 'number', token: 'text', tokenId: 'text' } as const

type Wanted = {
  readonly database: Database
  readonly chain: Chain
  readonly address: string
  readonly block: BalanceBlock
  readonly kinds: readonly NftKind[]
  readonly contract: string | undefined
  readonly past: Place | undefined
  readonly pageSize: number
}

type Asked = {
  readonly pageToken?: string | undefined
  readonly pageSize: number
  readonly contractAddress?: string | undefined
  readonly blockNumber?: string | undefined
}

type Listed = {
  readonly held: readonly Held[]
  readonly names: Names
  readonly nextPageToken?: string | undefined
  readonly nativeTokenBalance?: NativeTokenBalance | undefined
}

/** A page of an address's holdings after a block: by kind, contract and id. */
async function readPage(wanted: Wanted): Promise<Stretch<Held, Place>> {
  const { block, chain, contract, database, pageSize, past } = wanted
  const address = bytesOf(wanted.address)
  const held: Held[] = []
  let lookedAt = 0
  for (const kind of wanted.kinds) {
    if (past && kind < past.kind) continue
    let place: NftPlace | undefined = past?.kind === kind ? past : undefined
    for (let ended = false; !ended;) {
      const limit = pageSize + 1 - held.length
      const found = await readNftBalances(
        database,
        chain.key,
        address,
        block.number,
        kind,
        contract,
        place,
        limit,
      )
      held.push(...found.rows.map((row) => ({ ...row, kind })))
      if (held.length > pageSize) return cut(held, pageSize)
      lookedAt += found.hops
      place = found.last
      ended = found.ended
      if (!ended && lookedAt >= maxLookedAt) return { rows: held, next: { ...place, kind } }
    }
  }
  return { rows: held, next: undefined }
}

/**
 * `balances:listErc721`, `:listErc1155` (docs/api.md, Operations) and `:listCollectibles` (as in the
 * hosted API): by contract and id, at any indexed block, from the logs. Zero balances are omitted.
 */
export function nftBalanceRoutes(context: RouteContext): Implementation[] {
  const { chains, config, prices, store } = context
  const book = createContractBook(config)

  const list = async (
    operation: Operation,
    kinds: readonly NftKind[],
    chain: Chain,
    address: string,
    query: Asked,
  ): Promise<Listed> => {
    const { database } = store.get()
    const contract = query.contractAddress?.toLowerCase()
    const filters = { chainId: chain.id, address, contractAddress: contract }
    const list = openList(context, operation, nftCursor, filters, query)
    const block = await resolveBalanceBlock(database, chain, query.blockNumber, list.after)
    if (!block) return { held: [], names: await readNames(database, chain, book, []) }
    const [{ rows: held, nextPageToken }, nativeTokenBalance] = await Promise.all([
      list.walk(undefined, async (after, pageSize) => {
        const past = after && { ...after, kind: after.kind as NftKind }
        const { rows, next } = await readPage({
          database,
          chain,
          address,
          block,
          kinds,
          contract,
          past,
          pageSize,
        })
        return { rows, next: next && { ...next, number: block.number, hash: block.hash } }
      }),
      // In the default currency, because these lists have no currency parameter.
      nativeTokenBalanceAt(context, chain, address, block.number, prices.on(Number(block.ts), 'usd'), 'usd'),
    ])
    const names = await readNames(
      database,
      chain,
      book,
      held.map((row) => row.token),
      held,
    )
    return {
      held,
      names,
      nativeTokenBalance,
      nextPageToken,
    }
  }

  const describe = (chain: Chain, { names }: Listed, row: Held) => ({
    address: row.token,
    ...nameOfCollection(row.token, names),
    ercType: `ERC-${row.kind}`,
    tokenId: row.tokenId,
    ...names.nft(row),
    chainId: chain.id,
  })

  return [
    implement(listErc721Balances, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const page = await list(listErc721Balances, [721], chain, address, query)
      return {
        nextPageToken: page.nextPageToken,
        nativeTokenBalance: page.nativeTokenBalance,
        erc721TokenBalances: page.held.map((row) => ({
          ...describe(chain, page, row),
          ownerAddress: address,
        })),
      }
    }),

    implement(listErc1155Balances, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const page = await list(listErc1155Balances, [1155], chain, address, query)
      return {
        nextPageToken: page.nextPageToken,
        nativeTokenBalance: page.nativeTokenBalance,
        erc1155TokenBalances: page.held.map((row) => ({
          ...describe(chain, page, row),
          balance: row.balance,
        })),
      }
    }),

    implement(listCollectibleBalances, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const page = await list(listCollectibleBalances, [721, 1155], chain, address, query)
      return {
        nextPageToken: page.nextPageToken,
        nativeTokenBalance: page.nativeTokenBalance,
        collectibleBalances: page.held.map((row) => ({
          ...describe(chain, page, row),
          ...(row.kind === 721 ? { ownerAddress: address } : { balance: row.balance }),
        })),
      }
    }),
  ]
}
