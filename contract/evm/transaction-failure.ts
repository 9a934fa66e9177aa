import * as z from 'zod/mini'
import { amount, chainId, evmHash, keptFrom, openEnum, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { addressParty } from '../base/token.ts'
import { decoded, internalTxTypes } from './transactions.ts'

/** The kinds of reverts, by the data that the contract returned. */
const revertKinds = ['REASON', 'PANIC', 'CUSTOM_ERROR', 'UNKNOWN_ERROR', 'EMPTY_REVERT'] as const
export type RevertKind = (typeof revertKinds)[number]

/** Every kind of failure; `OTHER` has the virtual machine's own text, `UNKNOWN` could not be found out. */
export const failureKinds = [...revertKinds, 'OUT_OF_GAS', 'INVALID_OPCODE', 'OTHER', 'UNKNOWN'] as const

/**
 * Where the reason of a failure comes from: a trace of the transaction by the node, a replay of its call on the
 * state before its block, the stored trace of the indexer, or only the receipt.
 */
const failureSources = ['TRACE', 'REPLAY', 'STORED_TRACE', 'RECEIPT'] as const

/** Only in Ridgeline: why a transaction failed, and in which call. 404 for one that succeeded. */
export const getTransactionFailure = operation({
  id: 'getTransactionFailure',
  path: '/v1/chains/{chainId}/transactions/{txHash}/failure',
  summary: 'Get the reason why a transaction failed, and the call in which it failed',
  tag: 'EVM transactions',
  params: z.object({ chainId, txHash: evmHash }),
  response: record({
    txHash: z.string(),
    blockNumber: z.string(),
    source: openEnum(failureSources),
    isStateMissing: z
      .boolean()
      .with(z.describe('Whether the node has pruned the state that a trace or a replay needs')),
    kind: openEnum(failureKinds),
    reason: z.string().with(z.describe('In words, such as `insufficient allowance`')),
    error: z.optional(decoded).with(z.describe('Present when the signature is known and the data decode')),
    data: z.optional(z.string()).with(z.describe('The revert data, at most the first 4,096 bytes')),
    call: z
      .optional(
        record({
          depth: z.int().with(z.describe('0 for the transaction’s own call')),
          internalTxType: openEnum(internalTxTypes),
          from: addressParty,
          to: addressParty.with(z.describe('May be empty for a failed contract creation')),
          methodHash: z.optional(z.string()),
          methodName: z.optional(z.string()),
          gasLimit: amount,
          gasUsed: amount,
          internalIndex: z
            .optional(z.int())
            .with(z.describe('The index of the call in `internalTransactions`, for a depth above 0')),
        }),
      )
      .with(z.describe('The deepest call whose failure propagated to the transaction')),
    tracesFrom: keptFrom.tracesFrom,
  }),
})
export type TransactionFailure = z.output<(typeof getTransactionFailure)['response']>
