import { z } from 'zod'
import {
  alwaysSent,
  amount,
  commaList,
  networkName,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  wideInteger,
  wholeNumber,
} from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { blsCredentials, cb58Id, nodeId, nodeIds, walletAddresses } from '../primary/fields.ts'
import { flag, latestFirst, maxListed, pageBounds, percentage } from '../base/query.ts'

/** The validation statuses of filter and field (docs/signatures.md). */
export const validationStatuses = ['completed', 'active', 'pending', 'removed'] as const
export const delegationStatuses = ['completed', 'active', 'pending'] as const

/** The sort keys of the hosted service; `blockIndex` is the order in which validations were added. */
export const hostedValidatorSortKeys = [
  'blockIndex',
  'delegationCapacity',
  'timeRemaining',
  'delegationFee',
  'uptimePerformance',
] as const

/** The sort keys of validators; only Ridgeline has `startTimestamp`. */
export const validatorSortKeys = [...hostedValidatorSortKeys, 'startTimestamp'] as const

/** The maximum supply in nAVAX, which bounds any delegation capacity. */
export const maxSupply = 720_000_000_000_000_000n

const capacity = amount.pipe(
  z.string().refine((digits) => BigInt(digits) <= maxSupply, { error: `must be at most ${maxSupply} nAVAX` }),
)

/** The rewards of a validation: the validator's own, and its share of delegation rewards. In nAVAX. */
export const rewards = record({
  validationRewardAmount: amount,
  delegationRewardAmount: amount,
  rewardAddresses: alwaysSent(z.array(z.string())),
  rewardTxHash: z.string().optional(),
})

const geolocation = record({
  city: z.string(),
  country: z.string(),
  countryCode: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})

const validatorHealth = record({
  reachabilityPercent: z.number(),
  benchedPChainRequestsPercent: z.number(),
  benchedXChainRequestsPercent: z.number(),
  benchedCChainRequestsPercent: z.number(),
})

/**
 * Only in Ridgeline: the renewal settings of an auto-renewed validator (ACP-236). Its `startTimestamp`,
 * `endTimestamp` and `amountStaked` are those of the current or last period. Amounts in nAVAX.
 */
export const autoRenewal = record({
  autoCompoundPercentage: z.string().describe('How much of a period’s rewards is staked again'),
  nextPeriodSeconds: z.number().int().describe('0: it leaves at the end of this period'),
  authorityAddresses: z.array(z.string()).describe('Who may change both'),
  restakedValidationRewardAmount: amount.describe('Own rewards that are part of its stake'),
  restakedDelegationRewardAmount: amount.describe('Delegation rewards that are part of its stake'),
  pendingDelegationRewardAmount: amount.describe('Of delegations that ended in this period'),
})

/**
 * Validator (docs/api.md), one record for every status. A pending one lacks delegators and rewards; only
 * active and removed ones have the fields from `stakePercentage` on (as in the hosted API). Amounts are in
 * nAVAX, or in the subnet's staking token.
 */
export const validator = record({
  txHash: z.string(),
  nodeId: z.string(),
  subnetId: z.string(),
  amountStaked: amount,
  delegationFee: z.string().optional().describe('A percentage'),
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  blsCredentials: blsCredentials.optional(),
  delegatorCount: z.number().int().optional(),
  amountDelegated: amount.optional(),
  rewards: rewards.optional(),
  validationStatus: openEnum(validationStatuses),
  stakePercentage: z.number().optional(),
  uptimePerformance: z.number().optional(),
  avalancheGoVersion: z.string().optional(),
  delegationCapacity: amount.optional(),
  potentialRewards: rewards.optional(),
  validatorHealth: validatorHealth.optional(),
  geolocation: geolocation.nullish(),
  removeTxHash: z.string().optional(),
  removeTimestamp: timestamp.optional(),
  uptimeRequirement: z
    .number()
    .optional()
    .describe("Ridgeline's own: the uptime in percent that it needs to be rewarded"),
  autoRenewal: autoRenewal.optional(),
})
export type Validator = z.infer<typeof validator>

/** A delegator, as in the hosted service: estimated rewards until it is completed, then paid ones. */
export const delegator = record({
  txHash: z.string(),
  nodeId: z.string(),
  rewardAddresses: z.array(z.string()),
  amountDelegated: amount,
  delegationFee: z.string().describe('A percentage'),
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  estimatedGrossReward: amount.optional(),
  estimatedNetReward: amount.optional(),
  grossReward: amount.optional(),
  netReward: amount.optional(),
  delegationStatus: openEnum(delegationStatuses),
})
export type Delegator = z.infer<typeof delegator>

const balanceOwner = record({ addresses: z.array(z.string()), threshold: z.number().int() })

/** An L1 validator with its balance in nAVAX, as in the hosted service. A weight of 0 means removed. */
export const l1Validator = record({
  validationId: z.string(),
  validationIdHex: z.string().optional(),
  nodeId: z.string(),
  subnetId: z.string(),
  weight: wideInteger,
  remainingBalance: wideInteger,
  creationTimestamp: timestamp,
  blsCredentials: record({}).optional(),
  remainingBalanceOwner: balanceOwner.optional(),
  deactivationOwner: balanceOwner.optional(),
  isActive: z.boolean().optional().describe("Ridgeline's own: whether it has a balance to pay from"),
  emptyTimestamp: wideInteger
    .optional()
    .describe("Ridgeline's own: when the balance is used up at the present fee"),
})
export type L1Validator = z.infer<typeof l1Validator>

const validationStatus = z.enum(validationStatuses).describe('Only validations of this status').optional()
const subnetId = cb58Id.describe('Only this subnet; all subnets when left out').optional()
const validatorList = record({ nextPageToken, validators: z.array(validator) })

/** A part of a node id, at most as long as a whole one. */
const nodeIdPart = z.string().regex(/^[0-9A-Za-z-]{1,41}$/, 'must be a node id or a part of one')

/** `/v1/networks/{network}/validators` (as in the hosted API). Capacities are in nAVAX, times in seconds, the rest percentages. */
export const listValidators = operation({
  id: 'listValidators',
  api: 'data',
  path: '/v1/networks/{network}/validators',
  summary: 'List and filter the validators of a network',
  tag: 'Primary network validators',
  params: z.object({ network: networkName }),
  query: z.object({
    ...paging(pageBounds.activity),
    nodeIds: commaList(nodeIdPart, maxListed)
      .describe(`Node ids or parts of them, comma separated, at most ${maxListed}`)
      .optional(),
    sortBy: z
      .enum(validatorSortKeys)
      .describe(
        "What to sort by; delegationFee orders validators of the primary network only; startTimestamp is Ridgeline's own",
      )
      .optional(),
    sortOrder: latestFirst,
    validationStatus,
    minDelegationCapacity: capacity.optional(),
    maxDelegationCapacity: capacity.optional(),
    minTimeRemaining: wholeNumber.describe('Seconds').optional(),
    maxTimeRemaining: wholeNumber.describe('Seconds').optional(),
    minFeePercentage: percentage.describe('Leaves out validators of subnets, which have no fee').optional(),
    maxFeePercentage: percentage.describe('Leaves out validators of subnets, which have no fee').optional(),
    minUptimePerformance: percentage.optional(),
    maxUptimePerformance: percentage.optional(),
    subnetId,
  }),
  response: validatorList,
})

/** `/v1/networks/{network}/validators/{nodeId}`: every validation of one node (docs/api.md, Primary network). */
export const listNodeValidations = operation({
  id: 'listNodeValidations',
  api: 'data',
  path: '/v1/networks/{network}/validators/{nodeId}',
  summary: 'List the validations of one node, latest first',
  tag: 'Primary network validators',
  params: z.object({ network: networkName, nodeId }),
  query: z.object({ ...paging(pageBounds.activity), validationStatus, sortOrder: latestFirst }),
  response: validatorList,
})

/** `/v1/networks/{network}/delegators` (as in the hosted API). */
export const listDelegators = operation({
  id: 'listDelegators',
  api: 'data',
  path: '/v1/networks/{network}/delegators',
  summary: 'List and filter the delegators of a network, latest first',
  tag: 'Primary network validators',
  params: z.object({ network: networkName }),
  query: z.object({
    ...paging(pageBounds.activity),
    rewardAddresses: walletAddresses.optional(),
    nodeIds: nodeIds.optional(),
    delegationStatus: z.enum(delegationStatuses).describe('Only delegations of this status').optional(),
    sortOrder: latestFirst,
  }),
  response: record({ nextPageToken, delegators: z.array(delegator) }),
})

/** `/v1/networks/{network}/l1Validators` (as in the hosted API). Balances are those at `blockHeight` of the answer. */
export const listL1Validators = operation({
  id: 'listL1Validators',
  api: 'data',
  path: '/v1/networks/{network}/l1Validators',
  summary: 'List the validators of L1s',
  tag: 'Primary network validators',
  params: z.object({ network: networkName }),
  query: z.object({
    ...paging(pageBounds.activity),
    l1ValidationId: cb58Id.describe('Only this validation').optional(),
    includeInactiveL1Validators: flag.describe('Whether to list inactive validators too').default(false),
    nodeId: nodeId.describe('Only this node').optional(),
    subnetId,
  }),
  response: record({ nextPageToken, validators: z.array(l1Validator), blockHeight: z.string() }),
})
