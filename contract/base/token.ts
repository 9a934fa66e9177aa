import { z } from 'zod'
import { openEnum, record, timestamp } from './fields.ts'

/** AddressParty (docs/api.md, Answers): an address with what is known of its token. */
export const addressParty = record({
  name: z.string().optional(),
  symbol: z.string().optional(),
  decimals: z.number().int().optional(),
  logoUri: z.string().optional(),
  address: z.string(),
})
export type AddressParty = z.infer<typeof addressParty>

/** Every `indexStatus` of the hosted API. */
export const indexStatuses = [
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
  metadataLastUpdatedTimestamp: timestamp.optional(),
  name: z.string().optional(),
  symbol: z.string().optional(),
  imageUri: z.string().optional(),
  description: z.string().optional(),
  animationUri: z.string().optional(),
  externalUrl: z.string().optional(),
  background: z.string().optional(),
  decimals: z.number().int().optional(),
  properties: z.string().optional(),
})

export const ercTypes = ['ERC-20', 'ERC-721', 'ERC-1155', 'UNKNOWN'] as const
export const ercType = openEnum(ercTypes)
