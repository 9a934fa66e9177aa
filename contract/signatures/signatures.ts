import * as z from 'zod/mini'
import { networkName, record } from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { cb58Id } from '../primary/fields.ts'

const operation = operationsOf('Signatures')

/** The maximum size of an unsigned message and of a justification in bytes, as in nodes. */
export const warpMessageBytes = 262_144

/** The bounds of both quorum percentages and of their sum (docs/api.md, Keys and limits). */
const quorumBounds = { min: 0, max: 100 } as const

const hexOf = (pattern: RegExp) =>
  z.string().check(
    z.maxLength(2 + 2 * warpMessageBytes, `must be at most ${warpMessageBytes} bytes`),
    z.regex(pattern, 'must be whole bytes in hex, with or without 0x'),
    z.refine((text) => text.startsWith('0x') || text.length <= 2 * warpMessageBytes, {
      error: `must be at most ${warpMessageBytes} bytes`,
    }),
  )

/** Bytes in hex, with or without 0x; at least one. */
export const hexBytes = hexOf(/^(0x)?([0-9a-fA-F]{2})+$/)

/** A justification in hex, with or without 0x. `0x` and the empty text are the empty justification. */
const justificationBytes = hexOf(/^(0x)?([0-9a-fA-F]{2})*$/)
/** A subnet id in cb58 or in hex. */
export const subnetId = z
  .string()
  .check(
    z.regex(
      /^((0x)?[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{33,52})$/,
      'must be a subnet ID: cb58, or 32 bytes in hex',
    ),
  )
/** Whether hex represents no bytes. */
const isEmptyHex = (text: string | undefined): boolean => text === undefined || /^(0x)?$/.test(text)

const quorum = z.int().check(z.gte(quorumBounds.min), z.lte(quorumBounds.max))

/**
 * The parameters of an aggregation (docs/signatures.md). Percentages refer to the signing subnet's weight.
 */
export const signatureRequest = z
  .object({
    message: z.optional(hexBytes).with(z.describe('The unsigned message; required without a justification')),
    justification: z
      .optional(justificationBytes)
      .with(z.describe('Required without a message; 0x is an empty justification')),
    signingSubnetId: z
      .optional(subnetId)
      .with(z.describe('The subnet that signs; defaults to the subnet of the source blockchain')),
    quorumPercentage: z._default(quorum, 67).with(z.describe('The required weight in percent')),
    quorumPercentageBuffer: z
      ._default(quorum, 0)
      .with(
        z.describe(
          'Extra weight to collect beyond the quorum; at most 100 together. Collecting more may take longer',
        ),
      ),
    pChainHeight: z
      ._default(z.number().check(z.int(), z.gte(0), z.lte(Number.MAX_SAFE_INTEGER)), 0)
      .with(z.describe('The P-Chain height of the validator set; 0 for the proposed height')),
  })
  .check(
    z.refine((body) => body.message !== undefined || !isEmptyHex(body.justification), {
      error: 'either message or justification must be provided',
      path: ['message'],
    }),
    z.refine((body) => body.quorumPercentage + body.quorumPercentageBuffer <= quorumBounds.max, {
      error: `quorumPercentage and quorumPercentageBuffer together must be at most ${quorumBounds.max}`,
      path: ['quorumPercentageBuffer'],
    }),
  )

/** Aggregated signature response (docs/api.md): the signed message in hex. */
const signedMessage = record({ signedMessage: z.string() })

/** POST `/v1/signatureAggregator/{network}/aggregateSignatures` (docs/signatures.md). */
export const aggregateSignatures = operation({
  id: 'aggregateSignatures',
  api: 'data',
  method: 'POST',
  path: '/v1/signatureAggregator/{network}/aggregateSignatures',
  summary: 'Collect the signatures of validators for a cross-chain message',
  params: z.object({ network: networkName }),
  body: signatureRequest,
  response: signedMessage,
  success: 201,
})

/** GET `/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}` (docs/signatures.md). */
export const getAggregatedSignatures = operation({
  id: 'getAggregatedSignatures',
  api: 'data',
  path: '/v1/signatureAggregator/{network}/aggregateSignatures/{txHash}',
  summary: 'Get the signed message of a P-Chain transaction that concerns an L1',
  params: z.object({
    network: networkName,
    txHash: cb58Id.with(z.describe('The hash of a P-Chain or X-Chain transaction')),
  }),
  response: signedMessage,
  success: 201,
})
