import { z } from 'zod'
import { chainId, evmAddress, openEnum, record, timestamp } from '../base/fields.ts'

/*
 * Common fields of operations on addresses, balances, contracts, NFTs and tokens. A separate file, because a
 * page of the dashboard bundles every file that its operations are defined in.
 */

/** The path parameters of every operation on one address of an EVM chain. */
export const addressParams = z.object({ chainId, address: evmAddress.describe('An address of the chain') })

/** A uint256 in decimal digits, as `tokenId` of a path. */
export const tokenId = z
  .string()
  .regex(/^\d{1,78}$/, 'must be a token id in decimal digits')
  .pipe(z.string().refine((digits) => BigInt(digits) < 2n ** 256n, { error: 'must be below 2^256' }))

/**
 * Which kind of a contract that moved tokens of several. Left out, it is the one that the contract claims by
 * ERC-165, else that of most of its transfers.
 */
export const ofErcType = z
  .enum(['ERC-20', 'ERC-721', 'ERC-1155'])
  .describe('Which of its kinds, of a contract that moved tokens of several; its main kind when left out')
  .optional()

/** The same where only NFTs are told of. */
export const ofNftType = z
  .enum(['ERC-721', 'ERC-1155'])
  .describe('Which of its kinds, of a contract that moved NFTs of both; its main kind when left out')
  .optional()

export const tokenReputations = ['Malicious', 'Benign'] as const

/** The source of a balance: the sum of the logs, or `balanceOf` if it differs. */
export const balanceSource = openEnum(['logs', 'node'])

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
