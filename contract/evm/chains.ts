import * as z from 'zod/mini'
import {
  amount,
  chainId,
  keptFrom,
  networkName,
  openEnum,
  record,
  timestamp,
  untracedBlocks,
} from '../base/fields.ts'
import { operation } from '../base/operation.ts'

/** NetworkToken: the native token of a chain. */
export const networkToken = record({
  name: z.string(),
  symbol: z.string(),
  decimals: z.int(),
  logoUri: z.optional(z.string()),
  description: z.optional(z.string()),
})

// Every page of the dashboard evaluates this file before anything is drawn. What is lazy here is made with the first
// answer.

/** A chain of `/v1/chains`, as the hosted service lists it. */
const evmChain = z.lazy(() =>
  record({
    chainId: z.string(),
    status: openEnum(['OK', 'UNAVAILABLE']),
    chainName: z.string(),
    description: z.string(),
    platformChainId: z.optional(z.string()),
    subnetId: z.optional(z.string()),
    vmId: z.optional(z.string()),
    vmName: openEnum(['EVM', 'BITCOIN', 'ETHEREUM']),
    explorerUrl: z.optional(z.string()),
    rpcUrl: z.string(),
    wsUrl: z.optional(z.string()),
    isTestnet: z.boolean(),
    utilityAddresses: z.optional(record({ multicall: z.optional(z.string()) })),
    networkToken,
    chainLogoUri: z.optional(z.string()),
    private: z.optional(z.boolean()),
    enabledFeatures: z.optional(z.array(z.string())),
  }),
)
export type EvmChain = z.infer<typeof evmChain>

export const listChains = operation({
  id: 'listChains',
  api: 'data',
  path: '/v1/chains',
  summary: 'List the supported EVM chains',
  tag: 'EVM chains',
  query: z.object({ network: z.optional(networkName) }),
  response: record({ chains: z.array(evmChain) }),
})

export const getChain = operation({
  id: 'getChain',
  api: 'data',
  path: '/v1/chains/{chainId}',
  summary: 'Get one EVM chain',
  tag: 'EVM chains',
  params: z.object({ chainId }),
  response: evmChain,
})

/**
 * The indexing state of a chain. `stopped` mostly requires an operator, and the reason says what to do; it is tried again at
 * intervals.
 */
export const chainStates = ['waiting', 'syncing', 'live', 'stopped'] as const

/** How a chain catches up, measured by its indexer over the last ten seconds. */
export const chainSync = record({
  blocksPerSecond: z.number(),
  secondsLeft: z.optional(z.int()),
  boundBy: openEnum(['node', 'database', 'decoding']),
})

/**
 * The state of a chain in this service: head, progress and the figures of an overview. All figures are read
 * with one query; counts refer to indexed blocks.
 */
const chainStatus = z.lazy(() =>
  record({
    chainId: z.string(),
    chainName: z.string(),
    state: openEnum(chainStates),
    reason: z.optional(z.string()),
    stoppedTimestamp: z.optional(timestamp),
    firstBlock: z.optional(z.string()),
    indexedBlock: z.optional(z.string()),
    indexedTimestamp: z.optional(timestamp),
    nodeBlock: z.optional(z.string()),
    nodeSeenTimestamp: z.optional(timestamp),
    finalizedBlock: z.optional(z.string()),
    reorgCount: z.optional(z.int()),
    genesisHash: z.optional(z.string()),
    traceSource: openEnum(['debug', 'trace', 'none', 'unknown']),
    untracedBlocks,
    untracedBlockCount: z.optional(z.string()),
    ...keptFrom,
    clientVersion: z.optional(z.string()),
    txCount: z.optional(amount),
    txCountDay: z.optional(amount),
    addressCount: z.optional(amount),
    contractCount: z.optional(amount),
    baseFeePerGas: z.optional(amount),
    sync: z.optional(chainSync),
    blockTime: z.optional(z.number()),
    tps: z.optional(z.number()),
  }),
)
export type ChainStatus = z.infer<typeof chainStatus>

export const listChainStatus = operation({
  id: 'listChainStatus',
  path: '/v1/status',
  summary: 'How far every chain is indexed, and its headline figures',
  tag: 'Ridgeline',
  response: record({ chains: z.array(chainStatus) }),
})

/** A part of the store: a chain, the primary network, or what all share. */
const storagePart = record({
  name: z.string(),
  chainId: z.optional(z.string()),
  bytes: amount,
  growthPerDay: z.optional(z.string()),
  tables: z.array(record({ name: z.string(), bytes: amount })),
})
export type StoragePart = z.infer<typeof storagePart>

/** The disk that the store uses, with all indexes. */
const storage = z.lazy(() =>
  record({
    bytes: amount,
    growthPerDay: z.optional(z.string()),
    sampledSince: z.optional(timestamp),
    freeBytes: z.optional(amount),
    fullTimestamp: z.optional(timestamp),
    parts: z.array(storagePart),
  }),
)

export const getStorage = operation({
  id: 'getStorage',
  path: '/v1/status/storage',
  summary: 'The disk that every chain and table uses, its growth, and when it is full',
  tag: 'Ridgeline',
  response: storage,
})
