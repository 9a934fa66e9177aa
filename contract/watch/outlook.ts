import * as z from 'zod/mini'
import { amount, networkName, openEnum, record, timestamp } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { nodeId } from '../primary/fields.ts'
import { validationStatuses } from '../network/validators.ts'
import { optionalTimestamp, timeSpan } from './fields.ts'
import { watchTag } from './severities.ts'

/**
 * Only in Ridgeline: what the present validation of a node can still become. Amounts in nAVAX, uptimes in percent.
 */
export const getValidatorOutlook = operation({
  id: 'getValidatorOutlook',
  path: '/v1/networks/{network}/validators/{nodeId}/outlook',
  summary: 'Get what a validation can still become',
  tag: watchTag,
  params: z.object({ network: networkName, nodeId }),
  response: record({
    nodeId: z.string(),
    txHash: z.string(),
    timestamp: timestamp.with(z.describe('The chain time of these figures')),
    validationStatus: openEnum(validationStatuses),
    startTimestamp: timestamp,
    endTimestamp: timestamp,
    renewsItself: z.boolean(),
    uptime: z
      .optional(
        record({
          sampledTimestamp: timestamp,
          isStale: z.boolean(),
          uptimePerformance: z.number(),
          requirement: z.number(),
          highest: z.number().with(z.describe('Uptime at the end without further downtime')),
          lowest: z.number().with(z.describe('Uptime at the end if the node stops now')),
          needed: z
            .number()
            .with(
              z.describe(
                'The uptime from now to the end that is needed to meet the requirement; 0 if it is met in any case',
              ),
            ),
          isReachable: z.boolean(),
          spareSeconds: z
            .int()
            .with(z.describe('How long it can still be offline; 0 if the requirement cannot be met')),
        }),
      )
      .with(z.describe('Absent if there is no sample or no requirement')),
    sampleGaps: z
      .array(timeSpan)
      .with(z.describe('Whole hours of the validation without a sample, oldest first, at most 200')),
    reward: z.optional(
      record({
        potential: amount,
        ifItStopsNow: amount.with(
          z.describe('The potential reward if the requirement is met even then, else 0'),
        ),
        delegationFees: amount.with(
          z.describe(
            'Its share of the rewards of its delegations, those that ended and are not paid yet included',
          ),
        ),
      }),
    ),
    proposals: z
      .optional(
        record({
          fromTimestamp: timestamp,
          toTimestamp: timestamp,
          blockCount: z.int().with(z.describe('P-Chain blocks with a known proposer in this period')),
          proposedCount: z.int(),
          expectedCount: z.number().with(z.describe('Expected by its present share of the stake')),
          low: z.int().with(z.describe('Lower bound of the central 95 % of the binomial distribution')),
          high: z.int(),
        }),
      )
      .with(
        z.describe(
          'Over the latest 100,000 blocks, or the validation if that is shorter. Absent if the node has no index of proposers. An estimate, because it uses the present share of the stake',
        ),
      ),
    endingDelegations: z
      .array(record({ txHash: z.string(), amountDelegated: amount, endTimestamp: timestamp }))
      .with(z.describe('The next ten, soonest first')),
    lastProposedTimestamp: optionalTimestamp,
  }),
})
