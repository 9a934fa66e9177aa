import * as z from 'zod/mini'
import { currency, pricedValue } from '../base/currency.ts'
import { amount, networkName, nextPageToken, openEnum, paging, record, timestamp } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { assetAmount, nodeIds, rewardTypeList, rewardTypes, walletAddresses } from '../primary/fields.ts'
import { latestFirst, pageBounds } from '../base/query.ts'

const operation = operationsOf('Primary network rewards')

const staking = {
  addresses: z.array(z.string()),
  txHash: z.string().with(z.describe('The staking transaction')),
  amountStaked: amount,
  nodeId: z.string(),
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  rewardType: openEnum(rewardTypes),
}

/** Historical reward (docs/api.md). `historicalPrice` is absent if no price is known. */
const historicalReward = record({
  ...staking,
  utxoId: z.string(),
  outputIndex: z.int(),
  reward: z.extend(assetAmount, { historicalPrice: z.optional(pricedValue) }),
  rewardTxHash: z.string(),
})
export type HistoricalReward = z.infer<typeof historicalReward>

/** An expected reward, as in the hosted service; `progress` is a percentage. */
const pendingReward = record({ ...staking, progress: z.number(), estimatedReward: assetAmount })
export type PendingReward = z.infer<typeof pendingReward>

const whose = {
  addresses: z.optional(walletAddresses),
  nodeIds: z.optional(nodeIds),
  rewardTypes: z.optional(rewardTypeList),
  ...paging(pageBounds.activity),
  sortOrder: latestFirst,
}

const named = (query: { addresses?: unknown; nodeIds?: unknown }): boolean =>
  query.addresses !== undefined || query.nodeIds !== undefined

const unnamed = { error: 'at least one of addresses and nodeIds is required', path: ['addresses'] }

export const listRewards = operation({
  id: 'listRewards',
  api: 'data',
  path: '/v1/networks/{network}/rewards',
  summary: 'List the rewards that addresses or nodes were paid, latest first',
  description: 'At least one of `addresses` and `nodeIds` is required.',
  params: z.object({ network: networkName }),
  query: z.object({ ...whose, currency }).check(z.refine(named, unnamed)),
  response: record({ nextPageToken, historicalRewards: z.array(historicalReward) }),
})

export const listPendingRewards = operation({
  id: 'listPendingRewards',
  api: 'data',
  path: '/v1/networks/{network}/rewards:listPending',
  summary: 'List the rewards that addresses or nodes may expect',
  description: 'At least one of `addresses` and `nodeIds` is required.',
  params: z.object({ network: networkName }),
  query: z.object(whose).check(z.refine(named, unnamed)),
  response: record({ nextPageToken, pendingRewards: z.array(pendingReward) }),
})
