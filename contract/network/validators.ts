import * as z from 'zod/mini'
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
import { operationsOf } from '../base/operation.ts'
import {
  blsCredentials,
  cb58Id,
  isIndexed,
  l1BlsCredentials,
  nodeId,
  nodeIds,
  walletAddresses,
} from '../primary/fields.ts'
import { flag, latestFirst, maxListed, pageBounds, percentage } from '../base/query.ts'

const operation = operationsOf('Primary network validators')

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
const maxSupply = 720_000_000_000_000_000n

const capacity = z.pipe(
  amount,
  z
    .string()
    .check(
      z.refine((digits) => BigInt(digits) <= maxSupply, { error: `must be at most ${maxSupply} nAVAX` }),
    ),
)

/** The rewards of a validation: the validator's own, and its share of delegation rewards. In nAVAX. */
const rewards = record({
  validationRewardAmount: amount,
  delegationRewardAmount: amount,
  rewardAddresses: alwaysSent(z.array(z.string())),
  rewardTxHash: z.optional(z.string()),
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
const autoRenewal = record({
  autoCompoundPercentage: z.string().with(z.describe('The share of a period’s rewards that is staked again')),
  nextPeriodSeconds: z.int().with(z.describe('0 if it leaves at the end of this period')),
  authorityAddresses: z.array(z.string()).with(z.describe('Who may change these settings')),
  restakedValidationRewardAmount: amount.with(z.describe('Own rewards that are part of its stake')),
  restakedDelegationRewardAmount: amount.with(z.describe('Delegation rewards that are part of its stake')),
  pendingDelegationRewardAmount: amount.with(z.describe('From delegations that ended in this period')),
})

/**
 * Validator (docs/api.md), one record for every status. A pending one lacks delegators and rewards; only
 * active and removed ones have the fields from `stakePercentage` on (as in the hosted API). Amounts are in
 * nAVAX, or in the subnet's staking token.
 */
const validator = record({
  txHash: z.string(),
  nodeId: z.string(),
  subnetId: z.string(),
  amountStaked: amount,
  delegationFee: z.optional(z.string()).with(z.describe('A percentage')),
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  blsCredentials: z.optional(blsCredentials),
  delegatorCount: z.optional(z.int()),
  amountDelegated: z.optional(amount),
  rewards: z.optional(rewards),
  validationStatus: openEnum(validationStatuses),
  stakePercentage: z.optional(z.number()),
  uptimePerformance: z.optional(z.number()),
  avalancheGoVersion: z.optional(z.string()),
  delegationCapacity: z.optional(amount),
  potentialRewards: z.optional(rewards),
  validatorHealth: z.optional(validatorHealth),
  geolocation: z.nullish(geolocation),
  removeTxHash: z.optional(z.string()),
  removeTimestamp: z.optional(timestamp),
  uptimeRequirement: z
    .optional(z.number())
    .with(z.describe("Ridgeline's own: the uptime in percent required for a reward")),
  autoRenewal: z.optional(autoRenewal),
  isIndexed,
})
export type Validator = z.infer<typeof validator>

/** A delegator, as in the hosted service: estimated rewards until it is completed, then paid ones. */
const delegator = record({
  txHash: z.string(),
  nodeId: z.string(),
  rewardAddresses: z.array(z.string()),
  amountDelegated: amount,
  delegationFee: z.string().with(z.describe('A percentage')),
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  estimatedGrossReward: z.optional(amount),
  estimatedNetReward: z.optional(amount),
  grossReward: z.optional(amount),
  netReward: z.optional(amount),
  delegationStatus: openEnum(delegationStatuses),
  isIndexed,
})
export type Delegator = z.infer<typeof delegator>

const balanceOwner = record({ addresses: z.array(z.string()), threshold: z.int() })

/** An L1 validator with its balance in nAVAX, as in the hosted service. A weight of 0 means removed. */
const l1Validator = record({
  validationId: z.string(),
  validationIdHex: z.optional(z.string()),
  nodeId: z.string(),
  subnetId: z.string(),
  weight: wideInteger,
  remainingBalance: wideInteger,
  creationTimestamp: timestamp,
  blsCredentials: z.optional(l1BlsCredentials),
  remainingBalanceOwner: z.optional(balanceOwner),
  deactivationOwner: z.optional(balanceOwner),
  isActive: z
    .optional(z.boolean())
    .with(z.describe("Ridgeline's own: whether it has a balance left to pay fees")),
  emptyTimestamp: z
    .optional(wideInteger)
    .with(z.describe("Ridgeline's own: when the balance runs out at the current fee")),
  isIndexed,
})
export type L1Validator = z.infer<typeof l1Validator>

const validationStatus = z.optional(
  z.enum(validationStatuses).with(z.describe('Only validations of this status')),
)
const subnetId = z.optional(cb58Id.with(z.describe('Only this subnet; defaults to all subnets')))
const validatorList = record({ nextPageToken, validators: z.array(validator), isIndexed })

/** A part of a node id, at most as long as a whole one. */
const nodeIdPart = z.string().check(z.regex(/^[0-9A-Za-z-]{1,41}$/, 'must be a node ID or a part of one'))

/** Capacities are in nAVAX, times in seconds, the rest percentages. */
export const listValidators = operation({
  id: 'listValidators',
  api: 'data',
  path: '/v1/networks/{network}/validators',
  summary: 'List and filter the validators of a network',
  params: z.object({ network: networkName }),
  query: z.object({
    ...paging(pageBounds.activity),
    nodeIds: z.optional(
      commaList(nodeIdPart, maxListed).with(
        z.describe(`Node IDs or parts of them, comma separated, at most ${maxListed}`),
      ),
    ),
    sortBy: z.optional(
      z
        .enum(validatorSortKeys)
        .with(
          z.describe(
            "What to sort by; delegationFee orders validators of the primary network only; startTimestamp is Ridgeline's own",
          ),
        ),
    ),
    sortOrder: latestFirst,
    validationStatus,
    minDelegationCapacity: z.optional(capacity),
    maxDelegationCapacity: z.optional(capacity),
    minTimeRemaining: z.optional(wholeNumber.with(z.describe('Seconds'))),
    maxTimeRemaining: z.optional(wholeNumber.with(z.describe('Seconds'))),
    minFeePercentage: z.optional(
      percentage.with(z.describe('Excludes validators of subnets, which have no fee')),
    ),
    maxFeePercentage: z.optional(
      percentage.with(z.describe('Excludes validators of subnets, which have no fee')),
    ),
    minUptimePerformance: z.optional(percentage),
    maxUptimePerformance: z.optional(percentage),
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
  params: z.object({ network: networkName, nodeId }),
  query: z.object({ ...paging(pageBounds.activity), validationStatus, sortOrder: latestFirst }),
  response: validatorList,
})

export const listDelegators = operation({
  id: 'listDelegators',
  api: 'data',
  path: '/v1/networks/{network}/delegators',
  summary: 'List and filter the delegators of a network, latest first',
  params: z.object({ network: networkName }),
  query: z.object({
    ...paging(pageBounds.activity),
    rewardAddresses: z.optional(walletAddresses),
    nodeIds: z.optional(nodeIds),
    delegationStatus: z.optional(
      z.enum(delegationStatuses).with(z.describe('Only delegations of this status')),
    ),
    sortOrder: latestFirst,
  }),
  response: record({ nextPageToken, delegators: z.array(delegator), isIndexed }),
})

/** Balances are those at `blockHeight` of the answer. */
export const listL1Validators = operation({
  id: 'listL1Validators',
  api: 'data',
  path: '/v1/networks/{network}/l1Validators',
  summary: 'List the validators of L1s',
  params: z.object({ network: networkName }),
  query: z.object({
    ...paging(pageBounds.activity),
    l1ValidationId: z.optional(cb58Id.with(z.describe('Only this validation'))),
    includeInactiveL1Validators: z._default(
      flag.with(z.describe('Whether to include inactive validators')),
      false,
    ),
    nodeId: z.optional(nodeId.with(z.describe('Only this node'))),
    subnetId,
  }),
  response: record({ nextPageToken, validators: z.array(l1Validator), blockHeight: z.string(), isIndexed }),
})
