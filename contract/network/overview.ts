import { z } from 'zod'
import { chainStates } from '../evm/chains.ts'
import { amount, networkName, openEnum, record, timestamp } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { primaryChainAliases } from '../primary/fields.ts'

/** The state of the P-, X- or C-chain in this service. Heights are absent before the first block. */
export const primaryChainStatus = record({
  chainName: openEnum(primaryChainAliases),
  blockchainId: z.string(),
  state: openEnum(chainStates),
  reason: z.string().optional().describe('Why the chain waits or has stopped, for a person to read'),
  indexedHeight: z.string().optional(),
  indexedTimestamp: timestamp.optional(),
  nodeHeight: z.string().optional().describe('The head of the node, as last seen'),
  nodeSeenTimestamp: timestamp.optional(),
  hasProposers: z
    .boolean()
    .optional()
    .describe('Whether the node has its index, the source of proposers and vertices'),
  vertexCount: z.string().optional().describe('X only: vertices accepted before its linearisation'),
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
    name: z.string().describe('What the operator calls the network'),
    networkId: z.number().int(),
    addressPrefix: z.string(),
    chains: z.array(primaryChainStatus),
    avaxAssetId: z.string().optional(),
    currentSupply: amount.optional(),
    amountStaked: amount.describe('By validators of the primary network'),
    amountDelegated: amount,
    validatorCount: z.number().int().describe('Active validators of the primary network'),
    pendingValidatorCount: z.number().int(),
    delegatorCount: z.number().int(),
    subnetCount: z.number().int(),
    l1Count: z.number().int(),
    blockchainCount: z.number().int(),
    l1ValidatorCount: z.number().int().describe('L1 validators with a weight'),
    activeL1ValidatorCount: z.number().int(),
    l1ValidatorFee: amount.optional().describe('What an active L1 validator pays now, in nAVAX a second'),
  }),
})
