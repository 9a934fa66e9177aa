import * as z from 'zod/mini'
import {
  amount,
  networkName,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  wholeNumber,
  evmHash,
} from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { cb58Id } from '../primary/fields.ts'
import { hexBytes, subnetId } from './signatures.ts'

const operation = operationsOf('Signatures')

/** The possible payloads of an unsigned message. */
const warpPayloadKinds = ['Hash', 'AddressedCall', 'Unknown'] as const

/** The messages between the P-Chain and the manager of an L1. */
const l1MessageTypes = [
  'SubnetToL1Conversion',
  'RegisterL1Validator',
  'L1ValidatorRegistration',
  'L1ValidatorWeight',
] as const

const owner = record({ threshold: z.int(), addresses: z.array(z.string()) })

/** The fields of an L1 message; only those of its type are present. */
const l1Message = record({
  type: openEnum(l1MessageTypes),
  conversionId: z.optional(z.string()).with(z.describe('0x and 64 hex digits')),
  validationId: z.optional(z.string()).with(z.describe('cb58')),
  subnetId: z.optional(z.string()),
  nodeId: z.optional(z.string()),
  blsPublicKey: z.optional(z.string()).with(z.describe('0x and 48 bytes, compressed')),
  expiry: z.optional(timestamp),
  remainingBalanceOwner: z.optional(owner),
  disableOwner: z.optional(owner),
  weight: z.optional(amount),
  nonce: z.optional(amount),
  registered: z
    .optional(z.boolean())
    .with(z.describe('False if the validator was removed or can never be registered')),
})
export type L1Message = z.infer<typeof l1Message>

/** A decoded unsigned message. */
export const warpMessage = record({
  messageId: z.string().with(z.describe('SHA-256 of the message: 0x and 64 hex digits')),
  message: z.string().with(z.describe('The unsigned message, 0x hex')),
  networkId: z.int(),
  sourceBlockchainId: z.string(),
  sourceBlockchainName: z
    .optional(z.string())
    .with(z.describe('Absent for a chain that this service does not know')),
  signingSubnetId: z
    .optional(z.string())
    .with(
      z.describe(
        'The subnet that signs: that of the source blockchain, the default of aggregateSignatures; absent if unknown. For a P-Chain transaction, the subnet of the L1 manager’s chain',
      ),
    ),
  payloadKind: openEnum(warpPayloadKinds),
  blockHash: z.optional(z.string()).with(z.describe('For a Hash payload: 0x and 64 hex digits')),
  sourceAddress: z
    .optional(z.string())
    .with(z.describe('For an AddressedCall: the sender, 0x hex; absent if the P-Chain is the sender')),
  payload: z.optional(z.string()).with(z.describe('The payload of an AddressedCall, 0x hex')),
  l1Message: z
    .optional(l1Message)
    .with(z.describe('The decoded payload if the P-Chain is the source or the destination')),
})
export type WarpMessage = z.infer<typeof warpMessage>

/** An indexed message, with the data needed to have it signed. */
const emittedMessage = record({
  ...warpMessage.shape,
  justification: z.optional(z.string()).with(z.describe('0x hex, if the signers require one')),
  refusal: z.optional(z.string()).with(z.describe('Why validators no longer sign it, if known')),
  chainName: z.string(),
  txHash: z.string().with(z.describe('cb58 on the P-Chain, 0x on an EVM chain')),
  logIndex: z.optional(z.int()),
  blockNumber: z.string(),
  blockTimestamp: timestamp,
})
export type EmittedMessage = z.infer<typeof emittedMessage>

/** The signers of a subnet in canonical order, and the weight of validators that cannot sign. */
export const signerSet = record({
  subnetId: z.string(),
  pChainHeight: z.string(),
  totalWeight: amount.with(z.describe('Of all validators, including those without a BLS key')),
  keylessWeight: amount.with(
    z.describe('Of validators without a BLS key; part of the total, but never signs'),
  ),
  signers: z.array(
    record({
      index: z.int().with(z.describe('The signer’s bit in a signed message')),
      nodeIds: z.array(z.string()).with(z.describe('More than one if nodes share a key')),
      publicKey: z.string().with(z.describe('0x and 48 bytes, compressed')),
      weight: amount,
      isConnected: z
        .optional(z.boolean())
        .with(
          z.describe(
            'Whether this service is connected to one of the nodes; absent until it needs a connection',
          ),
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
  method: 'POST',
  path: `${aggregator}/messages:decode`,
  summary: 'Take an unsigned cross-chain message apart',
  params: z.object({ network: networkName }),
  body: z.strictObject({ message: hexBytes }),
  response: warpMessage,
})

/** GET `…/messages`: the messages that the indexed chains have emitted, newest first. */
export const listWarpMessages = operation({
  id: 'listWarpMessages',
  path: `${aggregator}/messages`,
  summary: 'List the cross-chain messages of the indexed chains',
  params: z.object({ network: networkName }),
  query: z.object({
    blockchainId: z
      .optional(
        z
          .string()
          .check(z.regex(/^[0-9A-Za-z-]{1,64}$/, 'must be a blockchain ID, an EVM chain ID or p-chain')),
      )
      .with(z.describe('Only messages of this source: a blockchain ID, an EVM chain ID or p-chain')),
    ...paging({ min: 1, max: 100, default: 25 }),
  }),
  response: record({
    nextPageToken,
    messages: z.array(emittedMessage),
    notKept: z
      .optional(z.array(record({ chainName: z.string(), logsFrom: z.string() })))
      .with(z.describe('Chains whose messages before a block are missing, because their logs were dropped')),
  }),
})

/**
 * GET `…/transactions/{txHash}/message`: the message that validators sign for a P-Chain transaction, with its
 * justification, or the first message that a transaction of an EVM chain emitted.
 */
export const getWarpMessageOfTransaction = operation({
  id: 'getWarpMessageOfTransaction',
  path: `${aggregator}/transactions/{txHash}/message`,
  summary: 'Get the cross-chain message of a transaction: of an EVM chain, or of the P-Chain about an L1',
  params: z.object({
    network: networkName,
    txHash: z
      .union([cb58Id, evmHash])
      .with(
        z.meta({ wire: { type: 'string' } }),
        z.describe('The hash of a P-Chain transaction, or of one of an EVM chain: its first message'),
      ),
  }),
  response: emittedMessage,
})

/** GET `…/signers/{subnetId}`: the canonical set of signers of a subnet. */
export const getSignerSet = operation({
  id: 'getSignerSet',
  path: `${aggregator}/signers/{subnetId}`,
  summary: 'Get the validators that sign for a subnet, with their weights',
  params: z.object({ network: networkName, subnetId }),
  query: z.object({
    pChainHeight: z
      ._default(wholeNumber, 0)
      .with(z.describe('The P-Chain height of the set; 0 for the proposed height')),
  }),
  response: signerSet,
})
