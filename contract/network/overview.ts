import * as z from 'zod/mini'
import { chainStates, chainSync } from '../evm/chains.ts'
import { amount, networkName, openEnum, record, timestamp } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { primaryChainAliases } from '../primary/fields.ts'

/** The state of the P-, X- or C-chain in this service. Heights are absent before the first block. */
const primaryChainStatus = record({
  chainName: openEnum(primaryChainAliases),
  blockchainId: z.string(),
  state: openEnum(chainStates),
  reason: z
    .optional(z.string())
    .with(z.describe('Why the chain is waiting or has stopped, as readable text')),
  stoppedTimestamp: z
    .optional(timestamp)
    .with(z.describe('Since when it is stopped; it is tried again at intervals of at most five minutes')),
  indexedHeight: z.optional(z.string()),
  indexedTimestamp: z.optional(timestamp),
  nodeHeight: z.optional(z.string()).with(z.describe('The latest known head of the node')),
  nodeSeenTimestamp: z.optional(timestamp),
  sync: z.optional(chainSync).with(z.describe('Only while the chain is syncing')),
  hasProposers: z
    .optional(z.boolean())
    .with(z.describe('Whether the node’s index API is on; proposers and vertices come from it')),
  vertexCount: z
    .optional(z.string())
    .with(z.describe('X-chain only: vertices accepted before linearization')),
})
export type PrimaryChainStatus = z.infer<typeof primaryChainStatus>

/**
 * Only in Ridgeline: the state of a network's chains and its headline figures, at the head of the P-chain.
 */
export const getNetworkOverview = operation({
  id: 'getNetworkOverview',
  path: '/v1/networks/{network}/overview',
  summary: 'Get how far a network is indexed, and its headline figures',
  description: 'Amounts are in nAVAX.',
  tag: 'Primary network',
  params: z.object({ network: networkName }),
  response: record({
    network: z.string(),
    name: z.string().with(z.describe('The operator’s name for the network')),
    networkId: z.int(),
    addressPrefix: z.string(),
    chains: z.array(primaryChainStatus),
    avaxAssetId: z.optional(z.string()),
    currentSupply: z.optional(amount),
    amountStaked: amount.with(z.describe('Staked by validators of the primary network')),
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
      .with(z.describe('The current fee of an active L1 validator, in nAVAX per second')),
  }),
})
