import * as z from 'zod/mini'
import { addressParams, ofNftType, tokenId } from '../evm/token-fields.ts'
import { ercType, nftMetadataWithAttributes } from '../base/token.ts'
import { amount, nextPageToken, paging, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { pageBounds } from '../base/query.ts'

/**
 * One NFT. `ownerAddress` belongs to ERC-721 and is absent once the token is burned; an ERC-1155 id has a
 * supply instead. `hasMedia` tells whether the service shows its picture.
 */
const nft = record({
  address: z.string(),
  ercType,
  tokenId: z.string(),
  name: z.optional(z.string()).with(z.describe('The collection’s name')),
  symbol: z.optional(z.string()),
  tokenUri: z.optional(z.string()),
  metadata: z.optional(nftMetadataWithAttributes),
  ownerAddress: z.optional(z.string()),
  supply: z.optional(amount),
  hasMedia: z.optional(z.boolean()),
})
export type Nft = z.infer<typeof nft>

const operation = operationsOf('Tokens')

/** `/v1/chains/{chainId}/nfts/collections/{address}/tokens`, as the hosted service has it: by token id. */
export const listCollectionTokens = operation({
  id: 'listCollectionTokens',
  path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens',
  summary: 'List the NFTs of a collection by token ID',
  params: addressParams,
  query: z.object({ ...paging(pageBounds.activity), ercType: ofNftType }),
  response: record({ nextPageToken, tokens: z.array(nft) }),
})

/** `/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}`, with when it may be reindexed. */
export const getNft = operation({
  id: 'getNft',
  path: '/v1/chains/{chainId}/nfts/collections/{address}/tokens/{tokenId}',
  summary: 'Get one NFT with its metadata',
  params: z.extend(addressParams, { tokenId }),
  response: z.extend(nft, {
    reindexableTimestamp: timestamp.with(
      z.describe('When a reindex is accepted again; in the past if one is accepted now'),
    ),
    reindexing: z.boolean().with(z.describe('Whether this service fetches metadata')),
    firstBlock: z.string(),
  }),
})
