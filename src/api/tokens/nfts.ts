import { queryOptions } from '@tanstack/react-query'
import { getNft, listCollectionTokens } from '../../../contract/tokens/nfts.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { useOffers, useProfile } from '../current.ts'
import { listQuery } from '../list.ts'
import { call } from '../session.ts'
import { keyOf, tokenKinds, type TokenOf } from './tokens.ts'

export type NftDetails = ResponseOf<typeof getNft>

/** The kind of NFTs, for contracts with both kinds. */
const typeOf = ({ ercType }: TokenOf) => (ercType && ercType !== 'ERC-20' ? { ercType } : {})

/** The contract of an NFT and its kind there. */
export const collectionOf = ({ address, ercType }: NftDetails): TokenOf => ({
  address,
  ercType: tokenKinds.find((kind) => kind === ercType),
})

/** The NFTs of a collection, by token ID. */
export const collectionQuery = (chainId: string, of: TokenOf) =>
  listQuery({
    key: keyOf('collection', chainId, of),
    read: (paging, signal) =>
      call(listCollectionTokens, {
        params: { chainId, address: of.address },
        query: { ...paging, ...typeOf(of) },
        signal,
      }),
    rowsOf: (page) => page.tokens,
    pageSize: 48,
    staleTime: 30_000,
  })

/** How many pictures stand for a collection. */
export const previewCount = 4

/** The first NFTs of a collection. */
export const collectionPreviewQuery = (
  chainId: string,
  { address, ercType }: { address: string; ercType: string },
) =>
  queryOptions({
    queryKey: ['collection-preview', chainId, address.toLowerCase(), ercType],
    queryFn: async () => {
      const kind = tokenKinds.find((one) => one === ercType)
      const { tokens } = await call(listCollectionTokens, {
        params: { chainId, address },
        query: { pageSize: previewCount, ...typeOf({ address, ercType: kind }) },
      })
      return tokens
    },
    staleTime: 60_000,
  })

/** One NFT with its metadata, and when it may be reindexed. */
export const nftQuery = (chainId: string, address: string, tokenId: string) =>
  queryOptions({
    queryKey: ['nft', chainId, address.toLowerCase(), tokenId],
    queryFn: () => call(getNft, { params: { chainId, address, tokenId } }),
    staleTime: 5_000,
  })

/** What determines an NFT's picture; `hasMedia` is absent when the service does not report it. */
type Pictured = {
  address: string
  tokenId: string
  hasMedia?: boolean | undefined
  metadata?: { metadataLastUpdatedTimestamp?: number | undefined } | undefined
}

/**
 * The URL of an NFT's picture at the service; undefined without one. The URL changes with the metadata, so that a
 * new picture is fetched.
 */
export function useMedia(chainId: string): (nft: Pictured) => string | undefined {
  const base = useProfile()?.dataUrl.replace(/\/$/, '')
  const offered = useOffers('getNft')
  return ({ address, tokenId, hasMedia, metadata }) => {
    if (base === undefined || !offered || hasMedia === false) return undefined
    const read = metadata?.metadataLastUpdatedTimestamp
    const path = `/v1/chains/${encodeURIComponent(chainId)}/nfts/collections/${address}/tokens/${tokenId}/media`
    return `${base}${path}${read === undefined ? '' : `?read=${read}`}`
  }
}
