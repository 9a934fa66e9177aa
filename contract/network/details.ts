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
      totalAmountStaked: amount.with(z.describe('The validators’ own stake')),
      estimatedAnnualStakingReward: amount.with(
        z.describe('The total reward of all current validations and delegations if each is rewarded'),
      ),
      stakingDistributionByVersion: z.array(
        record({ version: z.string(), amountStaked: amount, validatorCount: z.int() }),
      ),
      stakingRatio: z
        .string()
        .with(z.describe('Stake of validators and delegators divided by the current supply')),
    }),
    delegatorDetails: record({
      delegatorCount: z.int().with(z.describe('Active delegations')),
      totalAmountStaked: amount,
    }),
  }),
})
