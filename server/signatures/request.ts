import type { z } from 'zod'
import type { signatureRequest } from '../../contract/signatures/signatures.ts'
import { badRequest } from '../kernel/http-errors.ts'
import { CodecError } from '../../protocol/codec/reader.ts'
import { cb58, idOfText, TextFormError } from '../../protocol/ids/text.ts'
import type { ServedNetwork } from '../primary/served-network.ts'
import type { Queryable } from '../store/database.ts'
import { readConversionId, readRemoval } from './emitted.ts'
import {
  decodeJustification,
  JustificationError,
  validationOf,
  type Justification,
} from '../../protocol/warp/justification.ts'
import { decodeL1Payload, pChainId, pChainMessage, type L1Payload } from '../../protocol/warp/l1-payloads.ts'
import { decodePayload, decodeUnsigned, type UnsignedMessage } from '../../protocol/warp/warp-messages.ts'

/** The body of an aggregation request, as parsed by the contract. */
export type RequestBody = z.output<typeof signatureRequest>

/** A message that may be signed, with the justification that its signers need. */
type Subject = {
  readonly message: Uint8Array
  /** Empty if there is none. */
  readonly justification: Uint8Array
  readonly unsigned: UnsignedMessage
}

/** The bytes of hex with or without 0x; the contract has checked its form. */
export const bytesOfHex = (text: string): Uint8Array => Buffer.from(text.replace(/^0x/, ''), 'hex')

/** A subnet id, in cb58 or in hex, as cb58. Throws a 400 that names the field. */
export function subnetIdOf(field: string, text: string): string {
  const hex = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1]
  if (hex !== undefined) return cb58(Buffer.from(hex, 'hex'))
  try {
    return cb58(idOfText(text))
  } catch (error) {
    if (error instanceof TextFormError) throw badRequest([`${field}: ${text.slice(0, 64)}: ${error.message}`])
    throw error
  }
}

/**
 * The message and the justification of a request. A justification without a message identifies a message of the P-Chain
 * about an L1 (the conversion of a subnet, or the end of a validation), which is then constructed. A message of the
 * P-Chain is checked against what its validators sign (docs/signatures.md); if the request has no justification that a
 * validation has ended, the index supplies it. Throws a 400.
 */
export async function readSubject(
  database: Queryable,
  network: ServedNetwork,
  body: Pick<RequestBody, 'message' | 'justification'>,
): Promise<Subject> {
  const justification = bytesOfHex(body.justification ?? '')
  const message =
    body.message === undefined
      ? await messageOf(database, network, readJustification(justification))
      : bytesOfHex(body.message)
  const unsigned = readUnsignedOf(network, message)
  if (Buffer.compare(unsigned.sourceChainId, pChainId) !== 0) return { message, justification, unsigned }
  const checked = await justify(database, network, readL1Payload(unsigned), justification)
  return { message, justification: checked, unsigned }
}

/** The unsigned message of a request. Throws a 400 if it is malformed or for another network. */
function readUnsignedOf(network: ServedNetwork, message: Uint8Array): UnsignedMessage {
  const unsigned = readable('message: is not an unsigned message', () => decodeUnsigned(message))
  const { networkId } = network.config
  if (unsigned.networkId !== networkId) {
    throw badRequest([
      `message: is of network ${unsigned.networkId}; ${network.id} has the network ID ${networkId}`,
    ])
  }
  return unsigned
}

function readL1Payload({ payload }: UnsignedMessage): L1Payload {
  const call = readable('message: the P-Chain signs AddressedCall alone', () => decodePayload(payload))
  if (call.kind !== 'AddressedCall' || call.source.length > 0) {
    throw badRequest(['message: the P-Chain signs an AddressedCall without a source alone'])
  }
  const l1 = readable('message: is nothing that the P-Chain says of an L1', () =>
    decodeL1Payload(call.payload),
  )
  if (l1.type === 'RegisterL1Validator') {
    throw badRequest(['message: RegisterL1Validator is said to the P-Chain, never by it'])
  }
  return l1
}

/** The justification of a message of the P-Chain, if its signers need one: both must be about the same object. */
async function justify(
  database: Queryable,
  network: ServedNetwork,
  payload: L1Payload,
  justification: Uint8Array,
): Promise<Uint8Array> {
  if (payload.type === 'SubnetToL1Conversion') {
    if (justification.length === 32) return justification
    throw badRequest(['justification: must be the 32 bytes of the ID of the subnet that was converted'])
  }
  if (payload.type !== 'L1ValidatorRegistration' || payload.registered) return justification
  const name = cb58(payload.validationId)
  if (justification.length === 0) {
    const found = await readRemoval(database, network, payload.validationId)
    if (found) return found
    throw badRequest([
      `justification: is needed to show that validation ${name} is gone, and the index knows of no end of it`,
    ])
  }
  const shown = goneIn(readJustification(justification))
  if (shown === undefined || Buffer.compare(shown, payload.validationId) !== 0) {
    throw badRequest([
      `justification: is of ${shown ? `validation ${cb58(shown)}` : 'a subnet'}, the message of validation ${name}`,
    ])
  }
  return justification
}

async function messageOf(
  database: Queryable,
  network: ServedNetwork,
  justification: Justification,
): Promise<Uint8Array> {
  const { networkId } = network.config
  if (justification.kind === 'subnet') {
    const conversionId = await readConversionId(database, network, justification.subnetId)
    if (!conversionId) {
      throw badRequest([
        `justification: no conversion of subnet ${cb58(justification.subnetId)} is indexed on ${network.id}`,
      ])
    }
    return pChainMessage(networkId, { type: 'SubnetToL1Conversion', conversionId })
  }
  const validationId = goneIn(justification)
  if (!validationId) throw badRequest(['justification: names no validation'])
  return pChainMessage(networkId, { type: 'L1ValidatorRegistration', validationId, registered: false })
}

const readJustification = (bytes: Uint8Array): Justification =>
  readable('justification', () => decodeJustification(bytes))

const goneIn = (justification: Justification): Uint8Array | undefined =>
  readable('justification', () => validationOf(justification))

/** Turns malformed bytes of the caller into a 400. */
function readable<Value>(complaint: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof CodecError || error instanceof JustificationError) {
      throw badRequest([`${complaint}: ${error.message}`])
    }
    throw error
  }
}
