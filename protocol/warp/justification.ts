import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { convertedValidationId } from '../native/hashes.ts'
import {
  ConvertedValidatorSchema,
  RegistrationJustificationSchema,
  type RegistrationJustification,
} from './justification_pb.ts'
import { decodeL1Payload, registeredValidationId } from './l1-payloads.ts'

/**
 * The data with which a validator checks a P-Chain message that it cannot look up itself
 * (docs/signatures.md).
 */
export type Justification =
  | { readonly kind: 'subnet'; readonly subnetId: Uint8Array }
  /** For a validation from a conversion: its index in the conversion. */
  | { readonly kind: 'converted'; readonly subnetId: Uint8Array; readonly index: number }
  /** For a registered validation: the RegisterL1Validator payload. */
  | { readonly kind: 'registered'; readonly payload: Uint8Array }

type Preimage = RegistrationJustification['preimage']

/** Bytes that are not a justification known to validators. */
export class JustificationError extends Error {
  override readonly name = 'JustificationError'
}

const idSize = 32

/** The bytes of a justification: a bare subnet id, or a protobuf. */
export function encodeJustification(justification: Justification): Uint8Array {
  switch (justification.kind) {
    case 'subnet':
      return justification.subnetId
    case 'converted': {
      const { subnetId, index } = justification
      return encodePreimage({
        case: 'converted',
        value: create(ConvertedValidatorSchema, { subnetId, index }),
      })
    }
    case 'registered':
      return encodePreimage({ case: 'registered', value: justification.payload })
  }
}

function encodePreimage(preimage: Preimage): Uint8Array {
  return toBinary(RegistrationJustificationSchema, create(RegistrationJustificationSchema, { preimage }))
}

/** The contents of a justification about a validation, unverified. Throws JustificationError. */
export function decodePreimage(bytes: Uint8Array): Preimage {
  try {
    return fromBinary(RegistrationJustificationSchema, bytes, { readUnknownFields: false }).preimage
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new JustificationError(`it is neither a subnet id nor a protobuf: ${reason}`, { cause })
  }
}

/**
 * Reads a justification. 32 bytes are a subnet id, because every protobuf that identifies a validation is
 * longer. Throws JustificationError.
 */
export function decodeJustification(bytes: Uint8Array): Justification {
  if (bytes.length === idSize) return { kind: 'subnet', subnetId: bytes }
  const preimage = decodePreimage(bytes)
  switch (preimage.case) {
    case 'registered':
      return { kind: 'registered', payload: preimage.value }
    case 'converted': {
      const { subnetId, index } = preimage.value
      if (subnetId.length !== idSize) throw new JustificationError('its subnet id has not 32 bytes')
      return { kind: 'converted', subnetId, index }
    }
    default:
      throw new JustificationError('it names neither a subnet nor a validation')
  }
}

/**
 * The validation whose removal a justification proves; undefined for one of a subnet. Throws CodecError or
 * JustificationError.
 */
export function validationOf(justification: Justification): Uint8Array | undefined {
  switch (justification.kind) {
    case 'subnet':
      return undefined
    case 'converted':
      return convertedValidationId(justification.subnetId, justification.index)
    case 'registered':
      if (decodeL1Payload(justification.payload).type !== 'RegisterL1Validator') {
        throw new JustificationError('its payload asks for no registration')
      }
      return registeredValidationId(justification.payload)
  }
}
