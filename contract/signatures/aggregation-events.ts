import { z } from 'zod'
import { amount, openEnum, record } from '../base/fields.ts'
import { signerSet, warpMessage } from './warp.ts'

/**
 * POST here, with the body of `aggregateSignatures`, tells of a round while it goes on, as server-sent
 * events. A request that can't be read is answered as `aggregateSignatures` answers it; once the stream has
 * begun, `done` or `failed` is its last event.
 */
export const aggregationStreamPath = '/v1/signatureAggregator/{network}/aggregateSignatures:stream'

/** How one signer's part of a round ended. */
export const signerOutcomes = ['signed', 'refused', 'silent', 'unreachable', 'wrong'] as const

/** Where a signature came from: the validator as a peer, or its RPC. */
export const signatureSources = ['peer', 'rpc'] as const

const quorum = {
  signedWeight: amount,
  totalWeight: amount,
  requiredWeight: amount.describe('The least weight that reaches quorumPercentage'),
}

const signerResult = record({
  index: z.number().int().describe('The signer, as in the set'),
  outcome: openEnum(signerOutcomes),
  source: openEnum(signatureSources).optional(),
  reason: z.string().optional().describe('Why there is no signature, such as the words of a refusal'),
  milliseconds: z.number().int(),
})

/** The events of a round: the event's name is the key, its data the JSON of the schema. */
export const aggregationEvents = {
  begun: record({
    message: warpMessage,
    set: signerSet,
    quorumPercentage: z.number().int(),
    quorumPercentageBuffer: z.number().int(),
    deadline: z.number().int().describe('Unix seconds'),
  }),
  signer: record({ ...signerResult.shape, ...quorum }),
  done: record({
    signedMessage: z.string(),
    signers: z.array(z.number().int()).describe('The signers whose signatures are in it'),
    results: z.array(signerResult),
    isCached: z.boolean().describe('Whether an earlier round had the same outcome ready'),
    ...quorum,
  }),
  failed: record({
    statusCode: z.number().int(),
    error: z.string(),
    message: z.union([z.string(), z.array(z.string())]),
    results: z.array(signerResult).optional(),
    signedWeight: amount.optional(),
    totalWeight: amount.optional(),
    requiredWeight: amount.optional(),
  }),
} as const

export type AggregationEventName = keyof typeof aggregationEvents
export type AggregationEvent<N extends AggregationEventName> = z.infer<(typeof aggregationEvents)[N]>
