import { z } from 'zod'
import {
  amount,
  networkName,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  wholeNumber,
} from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { cb58Id } from '../primary/fields.ts'
import { hexBytes, subnetId } from './signatures.ts'

/** The possible payloads of an unsigned message. */
export const warpPayloadKinds = ['Hash', 'AddressedCall', 'Unknown'] as const

/** The messages between the P-chain and the manager of an L1. */
export const l1MessageTypes = [
  'SubnetToL1Conversion',
  'RegisterL1Validator',
  'L1ValidatorRegistration',
  'L1ValidatorWeight',
] as const

const owner = record({ threshold: z.number().int(), addresses: z.array(z.string()) })

/** The fields of an L1 message; only those of its type are present. */
export const l1Message = record({
  type: openEnum(l1MessageTypes),
  conversionId: z.string().optional().describe('0x and 64 hex digits'),
  validationId: z.string().optional().describe('cb58'),
  subnetId: z.string().optional(),
  nodeId: z.string().optional(),
  blsPublicKey: z.string().optional().describe('0x and 48 bytes, compressed'),
  expiry: timestamp.optional(),
  remainingBalanceOwner: owner.optional(),
  disableOwner: owner.optional(),
  weight: amount.optional(),
  nonce: amount.optional(),
  registered: z.boolean().optional().describe('False: the validator is gone or can never come'),
})
export type L1Message = z.infer<typeof l1Message>

/** A decoded unsigned message. */
export const warpMessage = record({
  messageId: z.string().describe('SHA-256 of the message: 0x and 64 hex digits'),
  message: z.string().describe('The unsigned message, 0x hex'),
  networkId: z.number().int(),
  sourceBlockchainId: z.string(),
  sourceBlockchainName: z.string().optional().describe('Absent for a chain that this service does not know'),
  signingSubnetId: z
    .string()
    .optional()
    .describe(
      'Who signs: the subnet of the source blockchain, as aggregateSignatures takes it by default; absent where it is unknown. Of a P-chain transaction: the subnet of the chain that the manager of the L1 is on',
    ),
  payloadKind: openEnum(warpPayloadKinds),
  blockHash: z.string().optional().describe('Of a Hash: 0x and 64 hex digits'),
  sourceAddress: z
    .string()
    .optional()
    .describe('Of an AddressedCall: the sender, 0x hex; absent when the P-chain is the sender'),
  payload: z.string().optional().describe('Of an AddressedCall: what it carries, 0x hex'),
  l1Message: l1Message.optional().describe('The payload, where the P-chain is the source or the addressee'),
})
export type WarpMessage = z.infer<typeof warpMessage>

/** An indexed message, with the data needed to have it signed. */
export const emittedMessage = record({
  ...warpMessage.shape,
  justification: z.string().optional().describe('0x hex, where the signers want one'),
  refusal: z.string().optional().describe('Why validators no longer sign it, where the index tells'),
  chainName: z.string(),
  txHash: z.string().describe('cb58 on the P-chain, 0x on an EVM chain'),
  logIndex: z.number().int().optional(),
  blockNumber: z.string(),
  blockTimestamp: timestamp,
})
export type EmittedMessage = z.infer<typeof emittedMessage>

/** The signers of a subnet in canonical order, and the weight of validators that cannot sign. */
export const signerSet = record({
  subnetId: z.string(),
  pChainHeight: z.string(),
  totalWeight: amount.describe('Of all validators, those without a BLS key included'),
  keylessWeight: amount.describe('Of validators without a BLS key: counts in the total, never signs'),
  signers: z.array(
    record({
      index: z.number().int().describe('The bit of the signer in a signed message'),
      nodeIds: z.array(z.string()).describe('More than one where nodes share a key'),
      publicKey: z.string().describe('0x and 48 bytes, compressed'),
      weight: amount,
      isConnected: z
        .boolean()
        .optional()
        .describe(
          'Whether this service has a connection to one of the nodes now; absent until it needed one',
        ),
    }),
  ),
})
export type SignerSet = z.infer<typeof signerSet>

const aggregator = '/v1/signatureAggregator/{network}'

/**
 * POST `…/messages:decode`: decodes an unsigned message. An invalid message is a 400 that gives the position
 * of the error.
 */
export const decodeWarpMessage = operation({
  id: 'decodeWarpMessage',
  api: 'ridgeline',
  method: 'POST',
  path: `${aggregator}/messages:decode`,
  summary: 'Take an unsigned cross-chain message apart',
  tag: 'Signatures',
  params: z.object({ network: networkName }),
  body: z.object({ message: hexBytes }),
  response: warpMessage,
})

/** GET `…/messages`: the messages that the indexed chains have emitted, newest first. */
export const listWarpMessages = operation({
  id: 'listWarpMessages',
  api: 'ridgeline',
  path: `${aggregator}/messages`,
  summary: 'List the cross-chain messages of the indexed chains',
  tag: 'Signatures',
  params: z.object({ network: networkName }),
  query: z.object({
    blockchainId: z
      .string()
      .regex(/^[0-9A-Za-z-]{1,64}$/, 'must be a blockchain id, an EVM chain id or p-chain')
      .optional()
      .describe('Only messages of this source: a blockchain id, an EVM chain id or p-chain'),
    ...paging({ min: 1, max: 100, default: 25 }),
  }),
  response: record({ nextPageToken, messages: z.array(emittedMessage) }),
})

/**
 * GET `…/transactions/{txHash}/message`: the message that validators sign for a P-chain transaction, with its
 * justification.
 */
export const getWarpMessageOfTransaction = operation({
  id: 'getWarpMessageOfTransaction',
  api: 'ridgeline',
  path: `${aggregator}/transactions/{txHash}/message`,
  summary: 'Get the cross-chain message of a P-chain transaction that concerns an L1',
  tag: 'Signatures',
  params: z.object({ network: networkName, txHash: cb58Id.describe('The hash of a P-chain transaction') }),
  response: emittedMessage,
})

/** GET `…/signers/{subnetId}`: the canonical set of signers of a subnet. */
export const getSignerSet = operation({
  id: 'getSignerSet',
  api: 'ridgeline',
  path: `${aggregator}/signers/{subnetId}`,
  summary: 'Get the validators that sign for a subnet, with their weights',
  tag: 'Signatures',
  params: z.object({ network: networkName, subnetId }),
  query: z.object({
    pChainHeight: wholeNumber.default(0).describe('The P-chain height of the set; 0 for the proposed height'),
  }),
  response: signerSet,
})
