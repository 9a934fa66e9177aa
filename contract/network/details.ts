import * as z from 'zod/mini'
import { amount, networkName, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'

/**
 * `/v1/networks/{network}` in the shape of the hosted service: who stakes on the primary network now. Amounts are
 * in nAVAX. Versions of nodes are on no chain: their list is empty here.
 */
export const getNetworkDetails = operation({
  id: 'getNetworkDetails',
  api: 'data',
  path: '/v1/networks/{network}',
  summary: 'Get the stake of a network',
  description: 'Amounts are in nAVAX.',
  tag: 'Primary network',
  params: z.object({ network: networkName }),
  response: record({
    validatorDetails: record({
      validatorCount: z.int().with(z.describe('Active validators of the primary network')),
      totalAmountStaked: amount.with(z.describe('Their own stake')),
      estimatedAnnualStakingReward: amount.with(
        z.describe('What the validations and delegations that run now are paid if all are rewarded'),
      ),
      stakingDistributionByVersion: z.array(
        record({ version: z.string(), amountStaked: amount, validatorCount: z.int() }),
      ),
      stakingRatio: z
        .string()
        .with(
          z.describe('The stake of validators and delegators as a part of the current supply, a decimal'),
        ),
    }),
    delegatorDetails: record({
      delegatorCount: z.int().with(z.describe('Delegations in force')),
      totalAmountStaked: amount,
    }),
  }),
})
