import * as z from 'zod/mini'
import { openEnum, record, timestamp } from './base/fields.ts'
import { chainStates } from './evm/chains.ts'
import { primaryChainAliases } from './primary/chains.ts'

/** Seconds between two heartbeats of `/events`. The first one is sent when the stream opens. */
export const heartbeatSeconds = 4

/**
 * The live updates of `/events`, as server-sent events: the key is the event's name, the schema describes its
 * JSON data. Nothing is replayed; a client that reconnects reloads what it shows.
 */
export const liveEvents = {
  head: record({
    chainId: z.string(),
    blockNumber: z.string(),
    blockHash: z.string(),
    blockTimestamp: timestamp,
    /** The latest known head of the node. */
    nodeBlock: z.optional(z.string()),
    /** Transactions of all blocks since the previous event. */
    txCount: z.int(),
  }),
  reorg: record({
    chainId: z.string(),
    /** The highest block common to both branches. */
    ancestor: z.string(),
    depth: z.int(),
    /** How often blocks of the chain have been taken back, with this reorg: as in the status. */
    reorgCount: z.int(),
  }),
  primaryHead: record({
    network: z.string(),
    chainName: openEnum(primaryChainAliases),
    blockNumber: z.string(),
    blockHash: z.string(),
    blockTimestamp: timestamp,
  }),
  progress: record({
    chainId: z.string(),
    state: openEnum(chainStates),
    reason: z.optional(z.string()),
    indexedBlock: z.optional(z.string()),
    nodeBlock: z.optional(z.string()),
  }),
  heartbeat: record({
    /** The clock of the service. */
    time: timestamp,
    /** Why no updates can arrive, as readable text; absent when the last test announcement arrived. */
    reason: z.optional(z.string()),
  }),
} as const

export type LiveEventName = keyof typeof liveEvents
export type LiveEvent<N extends LiveEventName> = z.infer<(typeof liveEvents)[N]>
