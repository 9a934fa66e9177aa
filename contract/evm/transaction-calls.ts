import * as z from 'zod/mini'
import { chainId, evmHash, openEnum, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { decodedOutput } from './contract-code.ts'
import { decoded } from './transactions.ts'

/** Maximum bytes of a call's input and of its output in an answer. */
export const maxCallBytesShown = 1_024

/** Maximum characters of an answer, about: the calls after it have none of their data. */
export const maxCallsText = 4_194_304

// Their descriptions are in contract/document/evm-fields.ts: a page that shows calls does not load them.
const callData = record({
  input: z.optional(z.string()),
  call: z.optional(decoded),
  output: z.optional(z.string()),
  results: z.optional(z.array(decodedOutput)),
  error: z.optional(decoded),
})
export type CallData = z.infer<typeof callData>

/** Why the calls of a block that is not traced are not in an answer: the configuration says so, or the node can't trace it. */
const missingCalls = ['TRACES_OFF', 'NO_TRACE'] as const

/**
 * Only in Ridgeline: the inputs and outputs of the calls of a transaction, decoded. The index keeps the first
 * 1,024 bytes of each; if one is longer, or its block is not traced, the node traces the transaction.
 */
export const getTransactionCalls = operation({
  id: 'getTransactionCalls',
  path: '/v1/chains/{chainId}/transactions/{txHash}/calls',
  summary: 'Get the arguments and results of the calls of a transaction',
  tag: 'EVM transactions',
  params: z.object({ chainId, txHash: evmHash }),
  response: record({
    txHash: z.string(),
    blockNumber: z.string(),
    calls: z.optional(z.array(callData)),
    missing: z.optional(openEnum(missingCalls)),
  }),
})
export type TransactionCalls = z.output<(typeof getTransactionCalls)['response']>
