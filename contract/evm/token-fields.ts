import * as z from 'zod/mini'
import { chainId, evmAddress, openEnum } from '../base/fields.ts'

/*
 * Common fields of operations on addresses, balances, contracts, NFTs and tokens. A separate file, because a
 * page of the dashboard bundles every file that its operations are defined in.
 */

/** The path parameters of every operation on one address of an EVM chain. */
export const addressParams = z.object({
  chainId,
  address: evmAddress.with(z.describe('An address of the chain')),
})

/** A uint256 in decimal digits, as `tokenId` of a path. */
export const tokenId = z.pipe(
  z.string().check(z.regex(/^\d{1,78}$/, 'must be a token ID in decimal digits')),
  z.string().check(z.refine((digits) => BigInt(digits) < 2n ** 256n, { error: 'must be below 2^256' })),
)

/**
 * Which kind of a contract that moved tokens of several. Left out, it is the one that the contract claims by
 * ERC-165, else that of most of its transfers.
 */
export const ofErcType = z.optional(
  z
    .enum(['ERC-20', 'ERC-721', 'ERC-1155'])
    .with(z.describe('The token type, for a contract with several; defaults to its main type')),
)

/** The same for operations about NFTs only. */
export const ofNftType = z.optional(
  z
    .enum(['ERC-721', 'ERC-1155'])
    .with(z.describe('The NFT type, for a contract with both; defaults to its main type')),
)

export const tokenReputations = ['Malicious', 'Benign'] as const

/** The source of a balance: the sum of the logs, or `balanceOf` if it differs. */
export const balanceSource = openEnum(['logs', 'node'])
