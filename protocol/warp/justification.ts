import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { convertedValidationId } from '../ids/hashes.ts'
import { decodeL1Payload, registeredValidationId } from './l1-payloads.ts'

/** What lets a validator check a message of the P-chain that it can't find by itself (signatures.md). */
export type Justification =
  | { readonly kind: 'subnet'; readonly subnetId: Uint8Array }
  /** Of a validation that a conversion made: its place among those of the conversion. */
  | { readonly kind: 'converted'; readonly subnetId: Uint8Array; readonly index: number }
  /** Of a validation that was registered: the RegisterL1Validator payload. */
  | { readonly kind: 'registered'; readonly payload: Uint8Array }

/** Bytes that are no justification that validators know. */
export class JustificationError extends Error {
  override readonly name = 'JustificationError'
}

const idSize = 32
const fields = { converted: 1, registered: 2, subnetId: 1, index: 2 } as const

/** The bytes of a justification: a bare subnet id, or a protobuf. */
export function encodeJustification(justification: Justification): Uint8Array {
  switch (justification.kind) {
    case 'subnet':
      return justification.subnetId
    case 'converted': {
      const inner = new BinaryWriter().tag(fields.subnetId, WireType.LengthDelimited)
      inner.bytes(justification.subnetId)
      // A zero is the default of its field and is left out.
      if (justification.index !== 0) inner.tag(fields.index, WireType.Varint).uint32(justification.index)
      return new BinaryWriter().tag(fields.converted, WireType.LengthDelimited).bytes(inner.finish()).finish()
    }
    case 'registered':
      return new BinaryWriter()
        .tag(fields.registered, WireType.LengthDelimited)
        .bytes(justification.payload)
        .finish()
  }
}

/**
 * Reads a justification. 32 bytes are a subnet id: no protobuf that names a validation is that short.
 * Throws JustificationError.
 */
export function decodeJustification(bytes: Uint8Array): Justification {
  if (bytes.length === idSize) return { kind: 'subnet', subnetId: bytes }
  const found = readFields(bytes)
  const registered = found.get(fields.registered)
  const converted = found.get(fields.converted)
  if ((registered === undefined) === (converted === undefined)) {
    throw new JustificationError('it names neither a subnet nor one validation')
  }
  if (registered !== undefined) return { kind: 'registered', payload: bytesOf(registered) }
  const inner = readFields(bytesOf(converted))
  const subnetId = bytesOf(inner.get(fields.subnetId))
  const index = inner.get(fields.index) ?? 0
  if (subnetId.length !== idSize) throw new JustificationError('its subnet id has not 32 bytes')
  if (typeof index !== 'number') throw new JustificationError('its index is no number')
  return { kind: 'converted', subnetId, index }
}

/**
 * The validation that a justification proves gone; undefined for one of a subnet. Throws CodecError
 * or JustificationError.
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

type Field = Uint8Array | number

/** The fields of a protobuf by number; of one that is given twice the last counts. */
function readFields(bytes: Uint8Array): Map<number, Field> {
  const found = new Map<number, Field>()
  try {
    const reader = new BinaryReader(bytes)
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag()
      if (type === WireType.LengthDelimited) found.set(number, reader.bytes())
      else if (type === WireType.Varint) found.set(number, reader.uint32())
      else reader.skip(type, number)
    }
  } catch (error) {
    throw new JustificationError(
      `it is neither a subnet id nor a protobuf: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  return found
}

function bytesOf(field: Field | undefined): Uint8Array {
  if (!(field instanceof Uint8Array)) throw new JustificationError('its validation is not in bytes')
  return field
}
