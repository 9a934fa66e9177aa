import * as z from 'zod/mini'
import { openEnum, record } from '../base/fields.ts'

/**
 * What accepted blocks contain and today's rules would refuse, by kind. A node has accepted it, so it is history: it is
 * counted as the chain counted it, listed here with a kind, and indexing continues (docs/indexer.md, "Accepted history").
 */
export const oddKinds = {
  spentAgain: 'spends a UTXO that was spent before',
  neverMade: 'spends a UTXO that was never made',
  repeated: 'was accepted before, in an earlier block',
  otherReward: 'was paid another reward than the rules give',
  noTarget: 'changes something that does not exist',
  misplaced: 'is in a block or message of another kind than the rules allow',
  otherChain: 'names a chain that shares no memory with this one',
  olderThanParent: 'is older than the block before it',
} as const

export type OddKind = keyof typeof oddKinds

/** `oddHistory` of a transaction or block; absent from the ordinary ones. */
export const oddHistory = z
  .optional(z.array(record({ kind: openEnum(Object.keys(oddKinds) as OddKind[]), detail: z.string() })))
  .with(
    z.describe(
      "Ridgeline's own: what the network accepted here although today's rules would refuse it; it is counted as the network counted it",
    ),
  )
export type OddHistory = NonNullable<z.infer<typeof oddHistory>>
