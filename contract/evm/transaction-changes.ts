import * as z from 'zod/mini'
import { currency, pricedValue } from '../base/currency.ts'
import { amount, chainId, evmHash, keptFrom, openEnum, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { addressParty } from '../base/token.ts'

const assetKinds = ['NATIVE', 'ERC-20', 'ERC-721', 'ERC-1155'] as const

/** Maximum number of changes in an answer. */
export const maxChanges = 100

/** What a transaction changed for one address in one asset; amounts are in the smallest unit. */
export const balanceChange = record({
  address: addressParty,
  asset: record({
    kind: openEnum(assetKinds),
    address: z.optional(z.string()).with(z.describe('The token’s contract; absent for the native token')),
    tokenId: z.optional(z.string()),
    name: z.optional(z.string()),
    symbol: z.optional(z.string()),
    decimals: z.optional(z.int()),
  }),
  change: z.string().check(z.regex(/^-?\d+$/), z.describe('Received minus sent, minus fees')),
  changeValue: z
    .optional(pricedValue)
    .with(z.describe('At the price on the block’s day, negative for a loss; absent without a price')),
  balanceBefore: z.optional(amount).with(z.describe('After the previous block; absent if unknown')),
  balanceAfter: z.optional(amount).with(z.describe('After the whole block of the transaction')),
})
export type BalanceChange = z.output<typeof balanceChange>

/** Only in Ridgeline: the balances that a transaction changed, from its value, fee, transfers and internal calls. */
export const getTransactionChanges = operation({
  id: 'getTransactionChanges',
  path: '/v1/chains/{chainId}/transactions/{txHash}/changes',
  summary: 'Get the balances that a transaction changed, by address and asset',
  tag: 'EVM transactions',
  params: z.object({ chainId, txHash: evmHash }),
  query: z.object({ currency }),
  response: record({
    txHash: z.string(),
    blockNumber: z.string(),
    isTraced: z
      .boolean()
      .with(z.describe('False if internal calls are missing: the block is untraced, or they were dropped')),
    changes: z
      .array(balanceChange)
      .with(z.describe(`The sender’s first, then in order of the movements, at most ${maxChanges}`)),
    omittedCount: z.int().with(z.describe('The number of further changes')),
    ...keptFrom,
  }),
})
