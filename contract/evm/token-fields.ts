import { z } from 'zod'
import { chainId, evmAddress, openEnum } from '../base/fields.ts'

/*
 * What operations on addresses, balances, contracts, NFTs and tokens have in common, in a file of its own:
 * a page of the dashboard takes along every file that its operations are written with.
 */

/** The path parameters of every operation on one address of an EVM chain. */
export const addressParams = z.object({ chainId, address: evmAddress.describe('An address of the chain') })

/** A uint256 in decimal digits, as `tokenId` of a path. */
export const tokenId = z
  .string()
  .regex(/^\d{1,78}$/, 'must be a token id in decimal digits')
  .pipe(z.string().refine((digits) => BigInt(digits) < 2n ** 256n, { error: 'must be below 2^256' }))

/** The same where only NFTs are told of. */
export const ofNftType = z
  .enum(['ERC-721', 'ERC-1155'])
  .describe('Which of its kinds, of a contract that moved NFTs of both; its main kind when left out')
  .optional()

export const tokenReputations = ['Malicious', 'Benign'] as const

/** Where a balance comes from: what the logs add up to, or `balanceOf` where that says something else. */
export const balanceSource = openEnum(['logs', 'node'])
