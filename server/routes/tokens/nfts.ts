import { getNft, listCollectionTokens } from '../../../contract/tokens/nfts.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { notFound } from '../../kernel/http-errors.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { reindexPause } from '../../tokens/nft/reindex.ts'
import type { Queryable } from '../../store/database.ts'
import type { NftKind } from '../../store/tokens/read-balance.ts'
import { readNft, readNfts, type NftRow } from '../../store/tokens/read-nft.ts'
import type { TokenRow } from '../../store/tokens/read-token.ts'
import { createContractBook, readNames, type Names } from '../evm/address-names.ts'
import { openList } from '../../http/keyset-list.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'
import { findToken, nftTypes, wantedType } from './token-fields.ts'

const nftKindOf = ({ kind }: TokenRow): NftKind => (kind === 721 ? 721 : 1155)

/** The tokens of a collection, and single tokens (contract/tokens/nfts.ts), with the metadata read so far. */
export function nftRoutes(context: RouteContext): Implementation[] {
  const { chains, config, store } = context
  const book = createContractBook(config)
  const { enabled } = config.nftMetadata

  const namesOf = (database: Queryable, chain: Chain, token: string, rows: readonly NftRow[]) =>
    readNames(
      database,
      chain,
      book,
      [token],
      rows.map(({ tokenId }) => ({ token, tokenId })),
    )

  /** `data:` URIs need no network, so they are always read and shown. */
  const isReachable = (uri: string | undefined): boolean =>
    uri !== undefined && (enabled || /^data:/i.test(uri))

  const describe = ({ token, kind }: TokenRow, row: NftRow, names: Names) => {
    const { name, symbol } = names.facts(token)
    const known = names.nft({ token, tokenId: row.tokenId })
    return {
      address: token,
      ercType: `ERC-${kind}`,
      tokenId: row.tokenId,
      ...(name !== undefined && { name }),
      ...(symbol !== undefined && { symbol }),
      ...known,
      ...(row.owner !== null && { ownerAddress: row.owner }),
      ...(row.supply !== null && { supply: row.supply }),
      hasMedia: isReachable(known.metadata?.imageUri),
    }
  }

  return [
    implement(listCollectionTokens, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const address = params.address.toLowerCase()
      const filters = { chainId: chain.id, address }
      const list = openList(context, listCollectionTokens, { tokenId: 'text' }, filters, query)
      const token = await findToken(database, chain, address, wantedType(query.ercType) ?? nftTypes)
      const { rows, nextPageToken } = await list.page({ tokenId: '-1' }, ({ tokenId }, limit) =>
        readNfts(database, chain.key, bytesOf(address), nftKindOf(token), tokenId, limit),
      )
      const names = await namesOf(database, chain, address, rows)
      return {
        nextPageToken,
        tokens: rows.map((row) => describe(token, row, names)),
      }
    }),

    implement(getNft, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const address = params.address.toLowerCase()
      const { kinds } = await findToken(database, chain, address, nftTypes)
      const found = await Promise.all(
        kinds
          .filter(({ kind }) => kind !== 20)
          .map(async (token) => ({
            token,
            row: await readNft(database, chain.key, bytesOf(address), nftKindOf(token), params.tokenId),
          })),
      )
      // The main kind comes first; an id that only the other kind has is also found.
      const { token, row } = found.find((each) => each.row) ?? {}
      if (!token || !row)
        throw notFound(`token ${params.tokenId} of ${address} has never moved on chain ${chain.id}`)
      const names = await namesOf(database, chain, address, [row])
      const nft = describe(token, row, names)
      return {
        ...nft,
        firstBlock: row.first_block.toString(),
        reindexableTimestamp: row.reindexed_ts === null ? 0 : Number(row.reindexed_ts) + reindexPause,
        reindexing: enabled || isReachable(nft.tokenUri),
      }
    }),
  ]
}
