import type { Hex } from 'viem'

/** What determines a block's transactions, apart from the generator's state. */
export type BlockOrder = {
  /** The time (Unix seconds) that rhythm, growth, fees and incidents are computed for. */
  readonly at: number
  /** Distinguishes the branches of a fork. */
  readonly salt?: number
  /** An exact number of transactions, whatever the rhythm. */
  readonly count?: number
  /** The number of leading transactions of the block to keep. */
  readonly take?: number
  /** The indices of accounts that send nothing in this block because a user controls them. */
  readonly resting?: readonly number[]
  /** Messages of the L1's validator manager to the P-Chain in this block: ACP-77 payloads. */
  readonly tell?: readonly Hex[]
}

/** A block to be made: its time and its contents. */
export type BlockToMake = BlockOrder & {
  readonly time: number
  /** False for a block without generated transactions: only `raw` and those of the pool. */
  readonly generated?: boolean
  /** Additional signed transactions to include, if the node accepts them. */
  readonly raw?: readonly Hex[]
  /** All transactions of the block, signed, in the order in which to send them; no others are sent. */
  readonly transactions?: readonly Hex[]
}
