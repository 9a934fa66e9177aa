import * as z from 'zod/mini'
import { currency, pricedValue } from '../base/currency.ts'
import {
  networkName,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  wideInteger,
} from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { assetAmount, nodeIds, rewardTypeList, walletAddresses } from '../primary/fields.ts'
import { primaryChainAliases } from '../primary/chains.ts'

/** Why an amount is not spendable before its time. */
export const unlockKinds = ['PLATFORM_LOCK', 'STAKEABLE_LOCK', 'STAKING_END'] as const

/**
 * Only in Ridgeline: the addresses' amounts that are not spendable now, with their unlock times, earliest
 * first. The end of a stake is the planned one; for an auto-renewed validator, it is the end of its period. A
 * stake under a longer lock counts as locked.
 */
export const listUnlocks = operation({
  id: 'listUnlocks',
  path: '/v1/networks/{network}/unlocks',
  summary: 'List when locked and staked amounts become free',
  tag: 'Primary network balances',
  params: z.object({ network: networkName }),
  query: z.object({ addresses: walletAddresses, ...paging({ min: 1, max: 500, default: 100 }) }),
  response: record({
    nextPageToken,
    unlocks: z.array(
      record({
        timestamp: wideInteger.with(z.describe('Unix seconds of 64 bits')),
        kind: openEnum(unlockKinds),
        chainName: openEnum(primaryChainAliases),
        asset: assetAmount,
        utxoCount: z.int(),
        txHash: z.string().with(z.describe('The transaction that created the first of the UTXOs')),
        nodeId: z.optional(z.string()).with(z.describe('The node where it is staked')),
        estimatedReward: z.optional(assetAmount),
        renewsItself: z
          .optional(z.boolean())
          .with(z.describe('Whether the stake continues for another period if the validator is rewarded')),
      }),
    ),
  }),
})

/** Only in Ridgeline: rewards by UTC year, each valued at the price of its day. Latest year first. */
export const listYearlyRewards = operation({
  id: 'listYearlyRewards',
  path: '/v1/networks/{network}/rewards:byYear',
  summary: 'List the rewards of addresses or nodes by year',
  description: 'At least one of `addresses` and `nodeIds` is required.',
  tag: 'Primary network rewards',
  params: z.object({ network: networkName }),
  query: z
    .object({
      addresses: z.optional(walletAddresses),
      nodeIds: z.optional(nodeIds),
      rewardTypes: z.optional(rewardTypeList),
      currency,
    })
    .check(
      z.refine((query) => query.addresses !== undefined || query.nodeIds !== undefined, {
        error: 'at least one of addresses and nodeIds is required',
        path: ['addresses'],
      }),
    ),
  response: record({
    years: z.array(
      record({
        year: z.int(),
        rewardCount: z.int(),
        reward: assetAmount,
        value: z.optional(pricedValue).with(z.describe('Absent if a price is missing for one of the days')),
        firstTimestamp: timestamp,
        lastTimestamp: timestamp,
      }),
    ),
  }),
})
