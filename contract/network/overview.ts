import * as z from 'zod/mini'
import { chainStates } from '../evm/chains.ts'
import { amount, networkName, openEnum, record, timestamp } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { primaryChainAliases } from '../primary/fields.ts'

/** The state of the P-, X- or C-chain in this service. Heights are absent before the first block. */
export const primaryChainStatus = record({
  chainName: openEnum(primaryChainAliases),
  blockchainId: z.string(),
  state: openEnum(chainStates),
  reason: z.optional(z.string()).with(z.describe('Why the chain waits or has stopped, for a person to read')),
  indexedHeight: z.optional(z.string()),
  indexedTimestamp: z.optional(timestamp),
  nodeHeight: z.optional(z.string()).with(z.describe('The head of the node, as last seen')),
  nodeSeenTimestamp: z.optional(timestamp),
  hasProposers: z
    .optional(z.boolean())
    .with(z.describe('Whether the node has its index, the source of proposers and vertices')),
  vertexCount: z.optional(z.string()).with(z.describe('X only: vertices accepted before its linearisation')),
})
export type PrimaryChainStatus = z.infer<typeof primaryChainStatus>

/**
 * Only in Ridgeline: the state of a network's chains and its headline figures, at the head of the P-chain.
 */
export const getNetworkOverview = operation({
  id: 'getNetworkOverview',
  api: 'ridgeline',
  path: '/v1/networks/{network}/overview',
  summary: 'Get how far a network is indexed, and its headline figures',
  description: 'Amounts are in nAVAX.',
  tag: 'Primary network',
  params: z.object({ network: networkName }),
  response: record({
    network: z.string(),
    name: z.string().with(z.describe('What the operator calls the network')),
    networkId: z.int(),
    addressPrefix: z.string(),
    chains: z.array(primaryChainStatus),
    avaxAssetId: z.optional(z.string()),
    currentSupply: z.optional(amount),
    amountStaked: amount.with(z.describe('By validators of the primary network')),
    amountDelegated: amount,
    validatorCount: z.int().with(z.describe('Active validators of the primary network')),
    pendingValidatorCount: z.int(),
    delegatorCount: z.int(),
    subnetCount: z.int(),
    l1Count: z.int(),
    blockchainCount: z.int(),
    l1ValidatorCount: z.int().with(z.describe('L1 validators with a weight')),
    activeL1ValidatorCount: z.int(),
    l1ValidatorFee: z
      .optional(amount)
      .with(z.describe('What an active L1 validator pays now, in nAVAX a second')),
  }),
})
