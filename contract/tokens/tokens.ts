import * as z from 'zod/mini'
import { addressParams, balanceSource, tokenId, tokenReputations, ofErcType } from '../evm/token-fields.ts'
import { addressParty, ercType, lastTokenId } from '../base/token.ts'
import { currency, pricedValue } from '../base/currency.ts'
import {
  amount,
  blockRange,
  chainId,
  keptFrom,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  timeWindow,
} from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { flag, latestFirst, pageBounds } from '../base/query.ts'

/**
 * A token contract as a list shows it. Supply and amounts are in the smallest unit; an ERC-1155 supply
 * counts all ids together. A field that the contract gave no usable answer for is absent.
 */
const token = record({
  address: z.string(),
  ercType,
  name: z.optional(z.string()),
  symbol: z.optional(z.string()),
  decimals: z.optional(z.int()),
  logoUri: z.optional(z.string()),
  supply: amount.with(z.describe('Minted minus burned, according to the logs')),
  holderCount: z.string(),
  transferCount: z.string(),
  lastDayTransferCount: z
    .optional(z.string())
    .with(z.describe('The transfers of the 24 whole hours (UTC) before the present hour')),
  firstBlock: z.string().with(z.describe('The block of the first transfer')),
  tokenReputation: z.nullish(openEnum(tokenReputations)),
  reputationReasons: z.optional(z.array(z.string())).with(z.describe('The rules that matched, as text')),
  price: z.optional(pricedValue),
})
export type Token = z.infer<typeof token>

/** One movement of a token: `tokenId` for NFTs, `value` for all but ERC-721. */
export const tokenTransfer = record({
  blockNumber: z.string(),
  blockTimestamp: timestamp,
  blockHash: z.string(),
  txHash: z.string(),
  logIndex: z.int(),
  from: addressParty,
  to: addressParty,
  ercType,
  tokenId: z.optional(z.string()),
  lastTokenId,
  value: z.optional(amount),
})
export type TokenTransferRow = z.infer<typeof tokenTransfer>

/** Of a token, and of its holders. */
const holdersFrom = z
  .optional(z.string())
  .with(
    z.describe(
      'The first indexed block, where the chain is indexed from a later one than its first and the contract is older: holders whom no log has named since are not known',
    ),
  )

/** A holder now; `share` is its part of the supply in percent. */
const tokenHolder = record({
  address: z.string(),
  name: z.optional(z.string()).with(z.describe('The operator’s name for the contract, or the token’s name')),
  balance: amount,
  share: z.optional(z.number()),
})
export type TokenHolder = z.infer<typeof tokenHolder>

const operation = operationsOf('Tokens')

/** What the tokens of a chain can be sorted by: the height of the first transfer, or one of two counts. */
export const tokenSortKeys = ['firstBlock', 'holderCount', 'lastDayTransferCount'] as const

/**
 * Ridgeline's own: the token contracts of a chain, newest first by default. Sorted by a count, the largest come
 * first and those called malicious last. A count that changes meanwhile may move its row;
 * `lastDayTransferCount` keeps the 24 hours of the first page.
 */
export const listTokens = operation({
  id: 'listTokens',
  path: '/v1/chains/{chainId}/tokens',
  summary: 'List the token contracts of a chain',
  params: z.object({ chainId }),
  query: z.object({
    ...paging(pageBounds.activity),
    ercType: z.optional(
      z
        .enum(['ERC-20', 'ERC-721', 'ERC-1155', 'NFT'])
        .with(z.describe('Only tokens of this type; `NFT` for ERC-721 and ERC-1155')),
    ),
    filterSpamTokens: z._default(flag.with(z.describe('Whether to exclude spam tokens')), true),
    sortBy: z._default(
      z.enum(tokenSortKeys).with(z.describe('What to sort by; the latest or the largest comes first')),
      'firstBlock',
    ),
    name: z.optional(
      z
        .string()
        .check(z.trim(), z.minLength(1), z.maxLength(64))
        .with(z.describe('Part of the name or symbol, case-insensitive')),
    ),
    currency,
  }),
  response: record({ nextPageToken, tokens: z.array(token) }),
})

/**
 * Ridgeline's own: one token contract with its totals. 404 for an address that never moved a token, or none
 * of the kind.
 */
export const getToken = operation({
  id: 'getToken',
  path: '/v1/chains/{chainId}/tokens/{address}',
  summary: 'Get a token contract with its supply, holders and transfers',
  params: addressParams,
  query: z.object({ ercType: ofErcType, currency }),
  response: z.extend(token, {
    ercTypes: z
      .array(ercType)
      .with(z.describe('Every token type that the contract has transferred, main type first')),
    balanceSource,
    isUnprovable: z
      .optional(z.boolean())
      .with(
        z.describe('Whether balanceOf answers nothing, so that nothing tells whether the logs are complete'),
      ),
    holdersFrom,
    idCount: z.optional(z.string()).with(z.describe('For NFTs: the number of token IDs ever seen')),
    lastTransferTimestamp: z.optional(timestamp),
  }),
})

/** Ridgeline's own: the movements of a token, of every kind unless one is named, or of one NFT. */
export const listTokenTransfers = operation({
  id: 'listTokenTransfers',
  path: '/v1/chains/{chainId}/tokens/{address}/transfers',
  summary: 'List the transfers of a token, latest first',
  params: addressParams,
  query: z.object({
    ...paging(pageBounds.activity),
    sortOrder: latestFirst,
    ercType: ofErcType.with(z.describe('Only transfers of this token type')),
    tokenId: z.optional(tokenId.with(z.describe('Only this NFT'))),
    ...blockRange,
  }),
  response: record({ nextPageToken, transactions: z.array(tokenTransfer), logsFrom: keptFrom.logsFrom }),
})

/** Ridgeline's own: who holds a token now, largest first. A balance that moves meanwhile may move its row. */
export const listTokenHolders = operation({
  id: 'listTokenHolders',
  path: '/v1/chains/{chainId}/tokens/{address}/holders',
  summary: 'List the holders of a token, largest first',
  params: addressParams,
  query: z.object({ ...paging({ min: 1, max: 500, default: 25 }), ercType: ofErcType }),
  response: record({
    nextPageToken,
    balanceSource: z.optional(balanceSource),
    holdersFrom,
    holders: z.array(tokenHolder),
  }),
})

/**
 * Ridgeline's own: how a token is spread. `bands` count the holders whose balance has so many digits, in
 * the smallest unit; the shares are in percent of all that is held.
 */
export const getTokenDistribution = operation({
  id: 'getTokenDistribution',
  path: '/v1/chains/{chainId}/tokens/{address}/distribution',
  summary: 'Get how the holdings of a token are spread',
  params: addressParams,
  query: z.object({ ercType: ofErcType }),
  response: record({
    holderCount: z.string(),
    held: amount,
    bands: z.array(record({ digits: z.int(), holderCount: z.string(), held: amount })),
    top: z.array(record({ holders: z.int(), share: z.number() })),
  }),
})

/** Ridgeline's own: a token's totals at the end of each UTC day in which it moved, oldest first. */
export const listTokenHistory = operation({
  id: 'listTokenHistory',
  path: '/v1/chains/{chainId}/tokens/{address}/history',
  summary: 'List the supply, holders and transfers of a token by day',
  params: addressParams,
  query: z.object({
    ...paging({ min: 1, max: 2160, default: 100 }),
    ercType: ofErcType,
    ...timeWindow,
  }),
  response: record({
    nextPageToken,
    points: z.array(
      record({ timestamp, supply: amount, holderCount: z.string(), transferCount: z.string() }),
    ),
  }),
})
