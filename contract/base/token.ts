import * as z from 'zod/mini'
import { openEnum, record, timestamp } from './fields.ts'

/** AddressParty (docs/api.md, Answers): an address with the known properties of its token. */
export const addressParty = record({
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  decimals: z.optional(z.int()),
  logoUri: z.optional(z.string()),
  label: z.optional(z.string()),
  sourceName: z.optional(z.string()),
  address: z.string(),
})
export type AddressParty = z.infer<typeof addressParty>

/** Every `indexStatus` of the hosted API. */
const indexStatuses = [
  'UNKNOWN',
  'MISSING_TOKEN',
  'INVALID_TOKEN_URI',
  'INVALID_TOKEN_URI_SCHEME',
  'UNREACHABLE_TOKEN_URI',
  'THROTTLED_TOKEN_URI',
  'METADATA_CONTENT_TOO_LARGE',
  'INVALID_METADATA',
  'INVALID_METADATA_JSON',
  'INDEXED',
  'UNINDEXED',
] as const

/** NftMetadata (docs/api.md, Answers). */
export const nftMetadata = record({
  indexStatus: openEnum(indexStatuses),
  metadataLastUpdatedTimestamp: z.optional(timestamp),
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  imageUri: z.optional(z.string()),
  description: z.optional(z.string()),
  animationUri: z.optional(z.string()),
  externalUrl: z.optional(z.string()),
  background: z.optional(z.string()),
  decimals: z.optional(z.int()),
  properties: z.optional(z.string()),
})

/** The same of one NFT, with the attributes of its JSON as text. */
export const nftMetadataWithAttributes = z.extend(nftMetadata, { attributes: z.optional(z.string()) })

const ercTypes = ['ERC-20', 'ERC-721', 'ERC-1155', 'UNKNOWN'] as const
export const ercType = openEnum(ercTypes)

/** Of a movement of NFTs. */
export const lastTokenId = z
  .optional(z.string())
  .with(
    z.describe(
      'Only in Ridgeline: the last ID of a range that one log moved (ERC-2309); the first is `tokenId`',
    ),
  )
