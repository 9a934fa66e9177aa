import { sha256 } from '../native/hashes.ts'
import { Reader, UnknownTypeError } from '../codec/reader.ts'
import { blob, pack, sized, u16, u32 } from '../codec/pack.ts'

/** An unsigned cross-chain message (docs/signatures.md). */
export type UnsignedMessage = {
  readonly networkId: number
  /** 32 bytes */
  readonly sourceChainId: Uint8Array
  /** With its codec version. */
  readonly payload: Uint8Array
}

/** The payload of an unsigned message: the hash of a block, or a call with its sender. */
export type WarpPayload =
  | { readonly kind: 'Hash'; readonly hash: Uint8Array }
  | {
      readonly kind: 'AddressedCall'
      /** The 20 bytes of the sender on an EVM chain; empty if the P-Chain itself is the sender. */
      readonly source: Uint8Array
      readonly payload: Uint8Array
    }

const codecVersion = u16(0)
const payloadTypes = { Hash: 0, AddressedCall: 1 } as const

/** The id of a message: SHA-256 of its unsigned bytes. */
export const messageIdOf = (unsigned: Uint8Array): Uint8Array => sha256(unsigned)

/** Reads an unsigned message at the reader's offset. Throws CodecError. */
export function readUnsigned(reader: Reader): UnsignedMessage {
  reader.version()
  return { networkId: reader.u32(), sourceChainId: reader.id(), payload: reader.blob() }
}

/** Decodes an unsigned message; remaining bytes are refused, as in nodes. Throws CodecError. */
export function decodeUnsigned(bytes: Uint8Array): UnsignedMessage {
  const reader = new Reader(bytes)
  const message = readUnsigned(reader)
  reader.end()
  return message
}

/** The bytes of an unsigned message. */
export function encodeUnsigned({ networkId, sourceChainId, payload }: UnsignedMessage): Uint8Array {
  return pack(codecVersion, u32(networkId), sized(sourceChainId, 32), blob(payload))
}

/** Decodes a payload. Throws CodecError; for another kind, UnknownTypeError. */
export function decodePayload(bytes: Uint8Array): WarpPayload {
  const reader = new Reader(bytes)
  reader.version()
  const at = reader.offset
  const type = reader.u32()
  const payload = readBody(reader, type, at)
  reader.end()
  return payload
}

function readBody(reader: Reader, type: number, at: number): WarpPayload {
  if (type === payloadTypes.Hash) return { kind: 'Hash', hash: reader.id() }
  if (type === payloadTypes.AddressedCall) {
    return { kind: 'AddressedCall', source: reader.blob(), payload: reader.blob() }
  }
  throw new UnknownTypeError(`payload type ${type} is unknown`, at)
}

/** Encodes a payload. */
export function encodePayload(payload: WarpPayload): Uint8Array {
  const type = pack(codecVersion, u32(payloadTypes[payload.kind]))
  return payload.kind === 'Hash'
    ? pack(type, sized(payload.hash, 32))
    : pack(type, blob(payload.source), blob(payload.payload))
}
