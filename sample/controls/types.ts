import type { Hex } from 'viem'
import type { Behaviour } from '../peers/behaviour.ts'

export const chainKeys = ['c', 'meridian', 'harbor'] as const

/** The short name of an EVM chain of the sample network. */
export type ChainKey = (typeof chainKeys)[number]

export const endpointKeys = [
  'P',
  'X',
  'avax',
  'index',
  'index/P/block',
  'index/X/block',
  'index/X/vtx',
  'index/X/tx',
  'index/C/block',
  'info',
  'health',
] as const

/**
 * An endpoint of the node outside the EVM. `avax` is the C-Chain's atomic API; `index` in a fault order means
 * all of the index API.
 */
export type EndpointKey = (typeof endpointKeys)[number]

/** The kinds of faults. */
export type FaultKind =
  /** HTTP 429 with `retry-after`. */
  | '429'
  /** HTTP 404, like a node without the endpoint. */
  | '404'
  /** HTTP 503. */
  | '503'
  /** 200 with an HTML page. */
  | 'html'
  /** 200 with the first half of the JSON. */
  | 'cut'
  /** The headers and half of the body, then nothing on an open connection. */
  | 'stall'
  /** The connection is closed without an answer. */
  | 'reset'
  /** 200 with `result: null`. */
  | 'null'
  /** 200 with a JSON-RPC error. */
  | 'error'
  /** 200 with −32601 (−32000 outside the EVM): the node does not have the method. */
  | 'unsupported'
  /** Receipts without their logs; the bloom stays. */
  | 'empty-logs'
  /** The last receipt of the block is left out. */
  | 'missing-receipt'
  /** The last transaction of the block is left out. */
  | 'missing-transaction'
  /** The block names another parent. */
  | 'wrong-parent'
  /** The answers of a batch in another order. */
  | 'shuffled'
  /** The last answer of a batch is left out. */
  | 'missing-id'
  /** The websocket is accepted but sends nothing, also on open connections. */
  | 'silent-ws'
  /** The websocket is not accepted, and open connections are closed at the next message. */
  | 'closed-ws'

/**
 * The calls that a fault affects: all given conditions must hold. Without conditions it affects every call.
 */
type FaultMatch = {
  readonly method?: string
  /**
   * The call asks for the block at this height, by number or hash, or for a range of containers that includes
   * it.
   */
  readonly height?: number
  /** The call's first parameter is this hash. */
  readonly hash?: string
}

export type FaultOrder = {
  readonly chain: ChainKey | EndpointKey
  readonly kind: FaultKind
  readonly match?: FaultMatch
  /** Number of affected HTTP calls; unlimited if absent. */
  readonly times?: number
  /** Seconds in the `retry-after` header of a 429. */
  readonly retryAfter?: number
  /** For `error`. */
  readonly code?: number
  readonly message?: string
}

export type FaultState = FaultOrder & {
  readonly id: number
  readonly hits: number
}

/** The requests to the node since the counters were last reset. */
export type RequestCounts = {
  /** HTTP calls and websocket messages; a batch counts once. */
  readonly calls: number
  /** Individual calls by method, including those in batches. */
  readonly methods: Readonly<Record<string, number>>
  /** Calls for a block above the head that was visible at that moment. */
  readonly pastHead: number
  readonly batches: number
  readonly largestBatch: number
}

export type FaultReport = {
  readonly faults: readonly FaultState[]
  readonly requests: Readonly<Record<ChainKey | EndpointKey, RequestCounts>>
}

export type BlockRef = {
  readonly number: number
  readonly hash: Hex
  /** Unix seconds. */
  readonly time: number
}

export type MineOrder = {
  readonly chain: ChainKey
  /** Default: 1. */
  readonly blocks?: number
  /** Transactions per block; by default as in the chain's history. */
  readonly transactions?: number
  /** Seconds between blocks; by default 2 to 5. */
  readonly seconds?: number
}

export type ReorgOrder = {
  readonly chain: ChainKey
  /** Number of blocks to replace. */
  readonly depth: number
  /**
   * `all`: the same transactions at the same positions of other blocks. `some`: half of them in every second
   * block. `none` (default): all different.
   */
  readonly sameTransactions?: 'all' | 'some' | 'none'
  /** Number of blocks by which the new branch is longer; default 1, never less. */
  readonly extend?: number
  /** Transactions per differing block; by default as in the chain's history. */
  readonly transactions?: number
}

export type ReorgResult = {
  /** The last common block of both branches. */
  readonly ancestor: number
  readonly undone: readonly BlockRef[]
  readonly made: readonly BlockRef[]
  readonly head: BlockRef
}

export type RewindOrder = {
  readonly chain: ChainKey | 'P' | 'X'
  /** The pretended head. Not needed to end the pretence. */
  readonly to?: number
  readonly on: boolean
}

/** The chain pretends to be another chain; an empty order ends it. */
export type IdentityOrder = {
  readonly chain: ChainKey
  readonly evmChainId?: number
  /** Hash of the genesis block. */
  readonly genesis?: Hex
}

/**
 * P or X shows other blocks from a height on, which a real chain never does; without `from` the fork ends.
 */
export type ForkOrder = {
  readonly chain: 'P' | 'X'
  readonly from?: number
}

/** Sets the behaviour of a validator; without `behaviour` it is reset. */
export type PeerOrder = {
  /** NodeID-… */
  readonly nodeId: string
  readonly behaviour?: Behaviour
  /** Delay of a slow validator in milliseconds; default 200. */
  readonly delayMs?: number
}

/** The current state of a node of the network. */
export type PeerReport = {
  readonly nodeId: string
  readonly behaviour: Behaviour
  /** Host and port if info.peers lists the node. */
  readonly address?: string
  readonly isListening: boolean
}

/**
 * What the node says of a validator instead of the truth; what is left out is true again. A validator that is not
 * connected is also gone as a peer, and proposes no block.
 */
export type NodeOrder = {
  /** NodeID-… */
  readonly nodeId: string
  readonly isConnected?: boolean
  /** Percent of its validation. */
  readonly uptime?: number
  /** What the peer says it runs, such as `avalanchego/1.13.0`. */
  readonly version?: string
}

/** A stake on the primary network, in a block of its own. */
export type StakeOrder = {
  readonly kind: 'validator' | 'delegator'
  /** NodeID-… */
  readonly nodeId: string
  /** Seconds until it ends. A real network has a minimum of days. */
  readonly seconds: number
}

/** Sets the balance of an L1 validator, by transactions. */
export type BalanceOrder = {
  readonly validationId: string
  /** How long it lasts at the present fee; 0 makes the validator inactive. */
  readonly seconds: number
}

/** Moves the P-Chain's time on: stakes that end on the way end in blocks of their own, and L1 fees are paid. */
export type AdvanceOrder = {
  readonly seconds: number
}
