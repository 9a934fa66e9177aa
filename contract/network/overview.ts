import * as z from 'zod/mini'
import { chainStates, chainSync } from '../evm/chains.ts'
import { amount, networkName, openEnum, record, timestamp } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { primaryChainAliases } from '../primary/chains.ts'

/** The state of the P-, X- or C-Chain in this service. Heights are absent before the first block. */
const primaryChainStatus = record({
  chainName: openEnum(primaryChainAliases),
  blockchainId: z.string(),
  state: openEnum(chainStates),
  reason: z.optional(z.string()),
  stoppedTimestamp: z.optional(timestamp),
  indexedHeight: z.optional(z.string()),
  indexedTimestamp: z.optional(timestamp),
  nodeHeight: z.optional(z.string()),
  nodeSeenTimestamp: z.optional(timestamp),
  sync: z.optional(chainSync),
  hasProposers: z.optional(z.boolean()),
  vertexCount: z.optional(z.string()),
})
export type PrimaryChainStatus = z.infer<typeof primaryChainStatus>

/**
 * Only in Ridgeline: the state of a network's chains and its headline figures, at the head of the P-Chain.
 */
export const getNetworkOverview = operation({
  id: 'getNetworkOverview',
  path: '/v1/networks/{network}/overview',
  summary: 'Get how far a network is indexed, and its headline figures',
  description:
    'Amounts are in nAVAX. Amounts and counts are absent before the first block of the P-Chain is indexed.',
  tag: 'Primary network',
  params: z.object({ network: networkName }),
  response: record({
    network: z.string(),
    name: z.string(),
    networkId: z.int(),
    addressPrefix: z.string(),
    chains: z.array(primaryChainStatus),
    avaxAssetId: z.optional(z.string()),
    currentSupply: z.optional(amount),
    amountStaked: z.optional(amount),
    amountDelegated: z.optional(amount),
    validatorCount: z.optional(z.int()),
    pendingValidatorCount: z.optional(z.int()),
    delegatorCount: z.optional(z.int()),
    subnetCount: z.optional(z.int()),
    l1Count: z.optional(z.int()),
    blockchainCount: z.optional(z.int()),
    l1ValidatorCount: z.optional(z.int()),
    activeL1ValidatorCount: z.optional(z.int()),
    l1ValidatorFee: z.optional(amount),
  }),
})
