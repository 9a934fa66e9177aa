import * as z from 'zod/mini'
import { alwaysSent, nextPageToken, paging, record, wholeNumber } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import {
  assetAmount,
  cb58Id,
  chainInfo,
  isIndexed,
  primaryChainParams,
  utxo,
  walletAddresses,
} from './fields.ts'
import { flag, latestFirst, pageBounds } from '../base/query.ts'

const operation = operationsOf('Primary network balances')

/** BalanceItem (docs/api.md, Answers). */
const balanceItem = z.extend(assetAmount, { utxoCount: z.int() })
export type BalanceItem = z.infer<typeof balanceItem>

/** AtomicBalanceItem (docs/api.md, Answers); hosted X-Chain and C-Chain items have no status. */
const atomicBalanceItem = z.extend(balanceItem, {
  sharedWithChainId: z.string(),
  status: z.optional(z.string()),
})

const items = alwaysSent(z.array(balanceItem))
const atomicItems = alwaysSent(z.array(atomicBalanceItem))

const buckets = {
  unlockedUnstaked: items,
  unlockedStaked: items,
  lockedPlatform: items,
  lockedStakeable: items,
  lockedStaked: items,
  pendingStaked: items,
  atomicMemoryUnlocked: atomicItems,
  atomicMemoryLocked: atomicItems,
}
/** The bucket of an amount; docs/primary.md defines each. */
export type BalanceBucket = keyof typeof buckets
export const balanceBuckets = Object.keys(buckets) as BalanceBucket[]

/**
 * Primary network balances: the same eight buckets on every chain, but for the C-Chain only atomic memory
 * (docs/primary.md, Balances). A hosted service has `unlocked` and `locked` instead of the first six on the
 * X-Chain, and only atomic memory on the C-Chain; this service additionally sends `unlocked` and `locked` for
 * the X-Chain.
 */
const primaryBalances = record({
  ...buckets,
  unlocked: z.optional(z.array(balanceItem)).with(z.describe('X-Chain only: same as unlockedUnstaked')),
  locked: z.optional(z.array(balanceItem)).with(z.describe('X-Chain only: same as lockedPlatform')),
})
export type PrimaryBalances = z.infer<typeof primaryBalances>

export const getPrimaryBalances = operation({
  id: 'getPrimaryBalances',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/balances',
  summary: 'Get the balances of addresses on a primary network chain',
  description: 'For the C-Chain only the balance of the shared atomic memory.',
  params: z.object(primaryChainParams),
  query: z.object({
    blockTimestamp: z.optional(
      wholeNumber.with(z.describe('Unix seconds: the balance at this time; defaults to now')),
    ),
    addresses: walletAddresses,
  }),
  response: record({ balances: primaryBalances, chainInfo, isIndexed }),
})

export const listUtxos = operation({
  id: 'listUtxos',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/utxos',
  summary: 'List the UTXOs of addresses on a primary network chain',
  params: z.object(primaryChainParams),
  query: z.object({
    addresses: walletAddresses,
    ...paging(pageBounds.activity),
    assetId: z.optional(cb58Id.with(z.describe('Only this asset; X-Chain only'))),
    includeSpent: z._default(flag.with(z.describe('Whether to include spent UTXOs')), false),
    sortOrder: latestFirst,
  }),
  response: record({ nextPageToken, utxos: z.array(utxo), chainInfo, isIndexed }),
})
