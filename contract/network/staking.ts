import * as z from 'zod/mini'
import {
  amount,
  networkName,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  timeWindow,
  wideInteger,
} from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { cb58Id, nodeId, validationCycle } from '../primary/fields.ts'
import { validationStatuses } from './validators.ts'
import { latestFirst, pageBounds, percentage } from '../base/query.ts'

const operation = operationsOf('Primary network validators')
const nodeParams = z.object({ network: networkName, nodeId })
const series = { min: 1, max: 2160, default: 100 }

/**
 * Only in Ridgeline: the configured node's measurements of a validator, the last sample of each hour. Nodes
 * may measure different uptimes of others.
 */
export const listUptimeSamples = operation({
  id: 'listUptimeSamples',
  path: '/v1/networks/{network}/validators/{nodeId}/uptime',
  summary: 'List the sampled uptime of a validator, latest first',
  params: nodeParams,
  query: z.object({ ...timeWindow, ...paging(series) }),
  response: record({
    nextPageToken,
    samples: z.array(
      record({
        timestamp: timestamp.with(z.describe('When the node was queried')),
        txHash: z.string().with(z.describe('The transaction that added the validator')),
        uptimePerformance: z.number().with(z.describe('Percent of the validation’s time so far')),
        isConnected: z.boolean(),
      }),
    ),
  }),
})

/**
 * Only in Ridgeline: a node's stake and delegations over all its validations on the primary network, one
 * point for each change, oldest first.
 */
export const listStakeHistory = operation({
  id: 'listStakeHistory',
  path: '/v1/networks/{network}/validators/{nodeId}/stake',
  summary: 'List how the stake of a validator changed',
  params: nodeParams,
  query: z.object({ ...timeWindow, ...paging(series) }),
  response: record({
    nextPageToken,
    points: z.array(
      record({
        timestamp,
        amountStaked: amount,
        amountDelegated: amount,
        delegatorCount: z.int(),
      }),
    ),
  }),
})

/** Only in Ridgeline: the finished periods of a node's auto-renewed validators, latest first. */
export const listValidationCycles = operation({
  id: 'listValidationCycles',
  path: '/v1/networks/{network}/validators/{nodeId}/cycles',
  summary: 'List the periods of a validator that renews itself',
  params: nodeParams,
  query: z.object({ ...paging(pageBounds.activity) }),
  response: record({ nextPageToken, cycles: z.array(validationCycle) }),
})

/**
 * Only in Ridgeline: a node's figures for alerting, as a flat and small record. Also available as Prometheus
 * series: `/metrics/validators?network=…&nodeIds=…`.
 */
export const getNodeFeed = operation({
  id: 'getNodeFeed',
  path: '/v1/networks/{network}/validators/{nodeId}/feed',
  summary: 'Get the figures of a node that alerting needs',
  params: nodeParams,
  response: record({
    nodeId: z.string(),
    timestamp: timestamp.with(z.describe('The chain time of the figures')),
    validationStatus: z
      .optional(openEnum(validationStatuses))
      .with(z.describe('Of its latest validation of the primary network; absent without one')),
    endTimestamp: z.optional(timestamp),
    secondsRemaining: z.optional(z.int()),
    amountStaked: z.optional(amount),
    amountDelegated: z.optional(amount),
    delegatorCount: z.optional(z.int()),
    delegationCapacity: z.optional(amount),
    uptimePerformance: z.optional(z.number()),
    uptimeRequirement: z.optional(z.number()).with(z.describe('The uptime required for a reward')),
    isConnected: z.optional(z.boolean()),
    sampledTimestamp: z.optional(timestamp),
    lastProposedBlock: z.optional(z.string()),
    lastProposedTimestamp: z.optional(timestamp),
    l1Validations: z.array(
      record({
        validationId: z.string(),
        subnetId: z.string(),
        weight: wideInteger,
        isActive: z.boolean(),
        remainingBalance: wideInteger,
        secondsRemaining: z
          .optional(z.int())
          .with(z.describe('Until the balance runs out at the current fee')),
      }),
    ),
  }),
})

/**
 * Only in Ridgeline: which validators of a subnet or L1 may stop while the others still reach the quorum. A
 * node counts as running if the configured node is connected to it; without that information, all count.
 */
export const getStopSafety = operation({
  id: 'getStopSafety',
  path: '/v1/networks/{network}/subnets/{subnetId}/stopSafety',
  summary: 'Get which validators may stop safely',
  params: z.object({ network: networkName, subnetId: cb58Id }),
  query: z.object({
    quorumPercentage: z._default(
      percentage.with(z.describe('The weight that must remain, in percent of the total')),
      67,
    ),
  }),
  response: record({
    subnetId: z.string(),
    totalWeight: amount,
    quorumWeight: amount.with(z.describe('The smallest weight that reaches the quorum')),
    runningWeight: amount,
    knowsConnections: z.boolean(),
    isSafe: z.boolean().with(z.describe('Whether the running validators reach the quorum')),
    spareWeight: amount.with(
      z.describe('The largest weight that may stop; 0 if the quorum is already missed'),
    ),
    safeTogether: z
      .array(z.string())
      .with(z.describe('The largest set of nodes that may stop at the same time')),
    validators: z.array(
      record({
        nodeId: z.string(),
        validationId: z.optional(z.string()),
        weight: wideInteger,
        weightPercentage: z.number(),
        isRunning: z.boolean(),
        isActive: z.boolean().with(z.describe('Inactive L1 validators have no weight in a quorum')),
        mayStopAlone: z.boolean(),
      }),
    ),
  }),
})

/**
 * Only in Ridgeline: the active validators of the primary network by stake and by uptime, in bins. A bin includes its
 * lower bound and not its upper one. `stake` has the bins from the lowest stake to the highest, empty ones between
 * them included; `uptime` always has all bins. Amounts in nAVAX.
 */
export const getValidatorDistribution = operation({
  id: 'getValidatorDistribution',
  path: '/v1/networks/{network}/validatorDistribution',
  summary: 'Get how stake and uptime are distributed over the active validators',
  params: z.object({ network: networkName }),
  response: record({
    timestamp: timestamp.with(z.describe('The chain time of the figures')),
    validatorCount: z.int(),
    amountStaked: amount,
    amountDelegated: amount,
    stake: z.array(
      record({
        from: amount.with(z.describe('The lower bound of the bin: own and delegated stake')),
        below: amount,
        validatorCount: z.int(),
        amountStaked: amount,
        amountDelegated: amount,
      }),
    ),
    uptime: z.array(
      record({
        from: z.number().with(z.describe('The lower bound of the bin: uptime in percent')),
        below: z.optional(z.number()).with(z.describe('Absent for the highest bin, which includes 100')),
        validatorCount: z.int(),
      }),
    ),
    unsampledCount: z
      .int()
      .with(z.describe('Validators without an uptime sample; they are in no uptime bin')),
  }),
})

/** Only in Ridgeline: all changes of an L1 validator, latest first. Amounts in nAVAX. */
export const listL1ValidatorHistory = operation({
  id: 'listL1ValidatorHistory',
  path: '/v1/networks/{network}/l1Validators/{validationId}/history',
  summary: 'List what changed an L1 validator',
  params: z.object({ network: networkName, validationId: cb58Id }),
  query: z.object({ ...paging(pageBounds.activity), sortOrder: latestFirst }),
  response: record({
    nextPageToken,
    changes: z.array(
      record({
        blockNumber: z.string(),
        timestamp,
        txHash: z.optional(z.string()).with(z.describe('Absent if the balance ran out')),
        txType: z.optional(z.string()),
        weight: wideInteger,
        balanceChange: wideInteger,
        remainingBalance: wideInteger,
        isActive: z.boolean(),
      }),
    ),
  }),
})
