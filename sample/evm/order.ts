import type { Hex } from '../kernel/hex.ts'

/** What decides a block's transactions, apart from the generator's state. */
export type BlockOrder = {
  /** Unix seconds that rhythm, growth, fees and incidents are read for. */
  readonly at: number
  /** Live blocks are one every few seconds, so each holds much less than an hourly one. */
  readonly pace: 'hourly' | 'live'
  /** Tells the branches of a fork apart. */
  readonly salt?: number
  /** This many transactions, whatever the rhythm says. */
  readonly count?: number
  /** Only the first so many of the block's transactions. */
  readonly take?: number
  /** The places of accounts that send nothing in this block, as somebody else uses them. */
  readonly resting?: readonly number[]
  /** What the manager of the L1's validators tells the P-chain in this block: payloads of ACP-77. */
  readonly tell?: readonly Hex[]
}

/** A block to be made: when, and with what in it. */
export type BlockToMake = BlockOrder & {
  readonly time: number
  /** False leaves the generator out: a block with nothing but `raw` and what the pool holds. */
  readonly generated?: boolean
  /** Signed transactions to include besides, as far as the node takes them. */
  readonly raw?: readonly Hex[]
  /** Every transaction of the block, signed, in the order in which to send them; nothing else is sent. */
  readonly transactions?: readonly Hex[]
}
