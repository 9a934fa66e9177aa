import { create, fromBinary, toBinary, type MessageInitShape } from '@bufbuild/protobuf'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { PeerMessageError } from './errors.ts'
import {
  MessageSchema,
  SignatureRequestSchema,
  SignatureResponseSchema,
  type Claim,
  type Message,
  type SignatureRequest,
} from './messages_pb.ts'
import { decompressFrame, storedFrame } from './zstd.ts'

/** A message with its kind (`case`), which is undefined for an unsupported kind. */
export type PeerMessage = Message['message']
/** The input for a message: absent fields have protobuf's defaults. */
export type PeerMessageInit = NonNullable<MessageInitShape<typeof MessageSchema>['message']>

/** Maximum number of addresses in one list. */
const maxClaims = 1_024

/** An empty filter: it requests all peers that a peer knows. */
export const emptyFilter = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0, 0)

/** A validator's signed claim of the address that it listens on. */
export type ClaimedAddress = Pick<Claim, 'certificate' | 'address' | 'port' | 'timestamp' | 'signature'>

/** The bytes of a message. */
export function encodeMessage(message: PeerMessageInit): Uint8Array {
  return toBinary(MessageSchema, create(MessageSchema, { message }))
}

/** A message in the envelope of a compressed one; the frame stores it uncompressed. */
export function encodeCompressed(message: Uint8Array): Uint8Array {
  return encodeMessage({ case: 'compressed', value: storedFrame(message) })
}

/**
 * Reads a message from its frame, compressed or not. Its byte fields are views of the input or of the
 * decompressed bytes. Throws a PeerMessageError.
 */
export function decodeMessage(bytes: Uint8Array): PeerMessage {
  const message = decodeEnvelope(bytes)
  if (message.case !== 'compressed') return message
  const inner = decodeEnvelope(decompressFrame(message.value))
  if (inner.case === 'compressed') throw new PeerMessageError('a message is compressed twice')
  return inner
}

function decodeEnvelope(bytes: Uint8Array): PeerMessage {
  return readable('a message', () => {
    const count = countClaims(bytes)
    if (count > maxClaims) throw new PeerMessageError(`a message lists ${count} addresses`)
    return fromBinary(MessageSchema, bytes, options).message
  })
}

/**
 * Counts claims before decoding them: a claim can be announced with two bytes, and takes a hundred times as
 * many decoded.
 */
function countClaims(bytes: Uint8Array): number {
  let count = 0
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag()
    if (field !== MessageSchema.field.peerList.number || type !== WireType.LengthDelimited) {
      reader.skip(type, field)
      continue
    }
    const end = reader.uint32() + reader.pos
    for (; reader.pos < end; count += 1) {
      const [inner, innerType] = reader.tag()
      reader.skip(innerType, inner)
    }
  }
  return count
}

const options = { readUnknownFields: false }

function readable<Value>(what: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof PeerMessageError) throw cause
    throw new PeerMessageError(`${what} can't be read`, { cause })
  }
}

/**
 * The id of the n-th request on a connection, from 0: an odd 32-bit number. A C-Chain never answers requests
 * with an even id (docs/signatures.md).
 */
export const requestIdOf = (ordinal: number): number => ((ordinal % 2 ** 31) * 2 + 1) % 2 ** 32

/** The number of a peer's handler for signature requests; it precedes the request (ACP-118). */
export const signatureHandler = 2

/** The bytes of an AppRequest for a signature. */
export function encodeSignatureRequest(message: Uint8Array, justification: Uint8Array): Uint8Array {
  const request = create(SignatureRequestSchema, { message, justification })
  return Buffer.concat([Buffer.of(signatureHandler), toBinary(SignatureRequestSchema, request)])
}

/** Reads a request for a signature, without the number of its handler. Throws a PeerMessageError. */
export function decodeSignatureRequest(bytes: Uint8Array): SignatureRequest {
  return readable('a request for a signature', () => fromBinary(SignatureRequestSchema, bytes, options))
}

/** The bytes of an AppResponse that holds a signature. */
export function encodeSignatureResponse(signature: Uint8Array): Uint8Array {
  return toBinary(SignatureResponseSchema, create(SignatureResponseSchema, { signature }))
}

/** The 96 bytes of a signature; undefined for another size. Throws a PeerMessageError. */
export function decodeSignatureResponse(bytes: Uint8Array): Uint8Array | undefined {
  const { signature } = readable('an answer', () => fromBinary(SignatureResponseSchema, bytes, options))
  // A copy, because it outlives the chunk in which it was received.
  return signature.length === 96 ? Uint8Array.from(signature) : undefined
}
