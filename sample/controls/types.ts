import type { Behaviour } from '../peers/behaviour.ts'
import type { Hex } from '../kernel/hex.ts'

export const chainKeys = ['c', 'meridian', 'harbor'] as const

/** An EVM chain of the sample network by its short name. */
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
 * An endpoint of the node outside the EVM; `avax` is the C-chain's atomic memory, `index` in a fault's order all of the
 * index API.
 */
export type EndpointKey = (typeof endpointKeys)[number]

/** What a faulty node does. */
export type FaultKind =
  /** HTTP 429 with `retry-after`. */
  | '429'
  /** HTTP 404, as of a node that does not have the endpoint. */
  | '404'
  /** HTTP 503. */
  | '503'
  /** 200 with a web page. */
  | 'html'
  /** 200 with the first half of the JSON. */
  | 'cut'
  /** The headers, half of the body, then silence on an open connection. */
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
  /** The websocket is accepted and stays silent, open ones too. */
  | 'silent-ws'
  /** The websocket is not accepted, and open ones are cut where the next message would have come. */
  | 'closed-ws'

/** Which calls a fault hits: all the given conditions must hold. Without any it hits every call. */
export type FaultMatch = {
  readonly method?: string
  /** The call asks for the block of this height, by number or by hash, or for a range of containers with it. */
  readonly height?: number
  /** The call's first parameter is this hash. */
  readonly hash?: string
}

export type FaultOrder = {
  readonly chain: ChainKey | EndpointKey
  readonly kind: FaultKind
  readonly match?: FaultMatch
  /** How many HTTP calls it hits; for ever when absent. */
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

/** What the node was asked since the counters were last set back. */
export type RequestCounts = {
  /** HTTP calls and websocket messages; a batch counts once. */
  readonly calls: number
  /** Single calls, those of batches too, by method. */
  readonly methods: Readonly<Record<string, number>>
  /** Calls for a block above the head shown at that moment. */
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
  /** 1 when absent. */
  readonly blocks?: number
  /** Transactions in each block; as the chain's rhythm has it when absent. */
  readonly transactions?: number
  /** Seconds between blocks; 2 to 5 when absent. */
  readonly seconds?: number
}

export type ReorgOrder = {
  readonly chain: ChainKey
  /** Blocks that are replaced. */
  readonly depth: number
  /**
   * `all`: the same transactions in the same places of other blocks. `some`: half of them in every other block.
   * `none` (when absent): all different.
   */
  readonly sameTransactions?: 'all' | 'some' | 'none'
  /** Blocks that the new branch is longer by; 1 when absent, never less. */
  readonly extend?: number
  /** Transactions in each block that differs; as the rhythm has it when absent. */
  readonly transactions?: number
}

export type ReorgResult = {
  /** The last block that both branches share. */
  readonly ancestor: number
  readonly undone: readonly BlockRef[]
  readonly made: readonly BlockRef[]
  readonly head: BlockRef
}

export type RewindOrder = {
  readonly chain: ChainKey | 'P' | 'X'
  /** The head that the node pretends to have. Not needed to end it. */
  readonly to?: number
  readonly on: boolean
}

/** The chain pretends to be another one; an empty order ends it. */
export type IdentityOrder = {
  readonly chain: ChainKey
  readonly evmChainId?: number
  /** Hash of the genesis block. */
  readonly genesis?: Hex
}

/** P or X shows other blocks from a height on, which a real chain never does; without `from` that ends. */
export type ForkOrder = {
  readonly chain: 'P' | 'X'
  readonly from?: number
}

/** A validator behaves in another way; without `behaviour` it is itself again. */
export type PeerOrder = {
  /** NodeID-… */
  readonly nodeId: string
  readonly behaviour?: Behaviour
  /** How late a slow one answers; 200 when absent. */
  readonly delayMs?: number
}

/** A node of the network as it stands. */
export type PeerReport = {
  readonly nodeId: string
  readonly behaviour: Behaviour
  /** Host and port, while info.peers tells of it. */
  readonly address?: string
  readonly isListening: boolean
}
