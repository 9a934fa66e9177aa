import * as z from 'zod/mini'
import { amount, openEnum, record } from '../base/fields.ts'
import { signerSet, warpMessage } from './warp.ts'

/**
 * A POST with the body of `aggregateSignatures` streams the progress of a round as server-sent events. An
 * invalid request is answered like `aggregateSignatures`; once the stream has begun, its last event is `done`
 * or `failed`.
 */
export const aggregationStreamPath = '/v1/signatureAggregator/{network}/aggregateSignatures:stream'

/** The result of one signer in a round. */
export const signerOutcomes = ['signed', 'refused', 'silent', 'unreachable', 'wrong'] as const

/** The source of a signature: the validator as a peer, or its RPC. */
export const signatureSources = ['peer', 'rpc'] as const

const quorum = {
  signedWeight: amount,
  totalWeight: amount,
  requiredWeight: amount.with(z.describe('The smallest weight that reaches quorumPercentage')),
}

const signerResult = record({
  index: z.int().with(z.describe('The signer’s index in the validator set')),
  outcome: openEnum(signerOutcomes),
  source: z.optional(openEnum(signatureSources)),
  reason: z.optional(z.string()).with(z.describe('Why there is no signature, such as the refusal’s text')),
  milliseconds: z.int(),
})

/** The events of a round: the key is the event's name, the schema describes its JSON data. */
export const aggregationEvents = {
  begun: record({
    message: warpMessage,
    set: signerSet,
    quorumPercentage: z.int(),
    quorumPercentageBuffer: z.int(),
    deadline: z.int().with(z.describe('Unix seconds')),
  }),
  signer: record({ ...signerResult.shape, ...quorum }),
  done: record({
    signedMessage: z.string(),
    signers: z.array(z.int()).with(z.describe('The signers included in the signature')),
    results: z.array(signerResult),
    isCached: z.boolean().with(z.describe('Whether the result comes from an earlier round')),
    ...quorum,
  }),
  failed: record({
    statusCode: z.int(),
    error: z.string(),
    message: z.union([z.string(), z.array(z.string())]),
    results: z.optional(z.array(signerResult)),
    signedWeight: z.optional(amount),
    totalWeight: z.optional(amount),
    requiredWeight: z.optional(amount),
  }),
} as const

export type AggregationEventName = keyof typeof aggregationEvents
export type AggregationEvent<N extends AggregationEventName> = z.infer<(typeof aggregationEvents)[N]>
