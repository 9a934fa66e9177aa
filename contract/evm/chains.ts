import { z } from 'zod'
import { amount, chainId, networkName, openEnum, record, timestamp, untracedBlocks } from '../base/fields.ts'
import { operation } from '../base/operation.ts'

/** NetworkToken: the native token of a chain. */
export const networkToken = record({
  name: z.string(),
  symbol: z.string(),
  decimals: z.number().int(),
  logoUri: z.string().optional(),
  description: z.string().optional(),
})
export type NetworkToken = z.infer<typeof networkToken>

/** A chain of `/v1/chains`, as the hosted service lists it. */
export const evmChain = record({
  chainId: z.string(),
  status: openEnum(['OK', 'UNAVAILABLE']),
  chainName: z.string(),
  description: z.string(),
  platformChainId: z.string().optional().describe('The blockchain id of the primary network'),
  subnetId: z.string().optional(),
  vmId: z.string().optional(),
  vmName: openEnum(['EVM', 'BITCOIN', 'ETHEREUM']),
  explorerUrl: z.string().optional(),
  rpcUrl: z.string(),
  wsUrl: z.string().optional(),
  isTestnet: z.boolean(),
  utilityAddresses: record({ multicall: z.string().optional() }).optional(),
  networkToken,
  chainLogoUri: z.string().optional(),
  private: z.boolean().optional(),
  enabledFeatures: z.array(z.string()).optional(),
})
export type EvmChain = z.infer<typeof evmChain>

/** `/v1/chains`: every EVM chain of this service (as in the hosted API). */
export const listChains = operation({
  id: 'listChains',
  api: 'data',
  path: '/v1/chains',
  summary: 'List the supported EVM chains',
  tag: 'EVM chains',
  query: z.object({ network: networkName.optional() }),
  response: record({ chains: z.array(evmChain) }),
})

/** `/v1/chains/{chainId}`: one EVM chain (as in the hosted API). */
export const getChain = operation({
  id: 'getChain',
  api: 'data',
  path: '/v1/chains/{chainId}',
  summary: 'Get one EVM chain',
  tag: 'EVM chains',
  params: z.object({ chainId }),
  response: evmChain,
})

/** The indexing state of a chain. `stopped` requires an operator; the reason says what to do. */
export const chainStates = ['waiting', 'syncing', 'live', 'stopped'] as const

/**
 * The state of a chain in this service: head, progress and the figures of an overview. All figures are read
 * with one query; counts refer to indexed blocks.
 */
export const chainStatus = record({
  chainId: z.string(),
  chainName: z.string(),
  state: openEnum(chainStates),
  reason: z.string().optional().describe('Why the chain waits or has stopped, for a person to read'),
  firstBlock: z.string().optional().describe('The lowest indexed block'),
  indexedBlock: z.string().optional().describe('The highest indexed block'),
  indexedTimestamp: timestamp.optional(),
  nodeBlock: z.string().optional().describe('The head of the node, as last seen'),
  nodeSeenTimestamp: timestamp.optional(),
  finalizedBlock: z.string().optional().describe('Reorgs below this height stop the chain'),
  genesisHash: z.string().optional(),
  traceSource: openEnum(['debug', 'trace', 'none', 'unknown']).describe('The trace method that the node has'),
  untracedBlocks,
  untracedBlockCount: z.string().optional().describe('How many blocks they hold in all'),
  clientVersion: z.string().optional(),
  txCount: amount,
  txCountDay: amount.describe('Transactions of the last 24 hours before the head'),
  addressCount: amount,
  contractCount: amount
    .optional()
    .describe('Absent while blocks are not traced: what was created in them is not known'),
  baseFeePerGas: amount.optional(),
  blockTime: z.number().optional().describe('Mean seconds between the last 100 blocks'),
  tps: z.number().optional().describe('Transactions a second over the last 100 blocks'),
})
export type ChainStatus = z.infer<typeof chainStatus>

/** Only in Ridgeline: the state of every chain. */
export const listChainStatus = operation({
  id: 'listChainStatus',
  api: 'ridgeline',
  path: '/v1/status',
  summary: 'How far every chain is indexed, and its headline figures',
  tag: 'Ridgeline',
  response: record({ chains: z.array(chainStatus) }),
})
