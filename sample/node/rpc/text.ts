import { decodeBase58 } from '../../../protocol/ids/base58.ts'
import { sha256 as sha256Of } from '../../../protocol/ids/hashes.ts'
import * as texts from '../../../protocol/ids/text.ts'
import { ServiceError } from './service-errors.ts'

/** How bytes are written: hex with a 4-byte checksum (two names for it), hex without one, or whole objects. */
export type Encoding = 'hex' | 'hexc' | 'hexnc' | 'json'

const checksumLength = 4
/** Bytes of an address and of a node id. */
export const addressLength = 20

export function sha256(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.from(sha256Of(...parts))
}

function checksum(bytes: Uint8Array): Buffer {
  return sha256(bytes).subarray(-checksumLength)
}

/** The bytes before the checksum. Throws `ServiceError` with the node's message. */
function withoutChecksum(bytes: Buffer): Buffer {
  if (bytes.length < checksumLength) {
    throw new ServiceError('input string is smaller than the checksum size')
  }
  const raw = bytes.subarray(0, -checksumLength)
  if (!checksum(raw).equals(bytes.subarray(-checksumLength))) {
    throw new ServiceError('invalid input checksum')
  }
  return raw
}

/** The bytes of a cb58 text. Throws `ServiceError` with the node's message. */
export function fromCb58(text: string): Buffer {
  if (text === '') throw new ServiceError('base58 decoding error: zero length string')
  const bytes = decodeBase58(text)
  if (bytes === undefined) throw new ServiceError('base58 decoding error: invalid base58 digit')
  return withoutChecksum(Buffer.from(bytes))
}

/** An id, given as hex, in cb58. */
export function idText(hex: string): string {
  return texts.cb58(Buffer.from(hex, 'hex'))
}

/** `NodeID-…` of 20 bytes in hex. */
export function nodeIdText(hex: string): string {
  return texts.nodeIdText(Buffer.from(hex, 'hex'))
}

/** `P-fuji1…` of 20 bytes in hex: the chain's alias, then bech32. */
export function addressText(alias: string, prefix: string, hex: string): string {
  return `${alias}-${texts.addressText(Buffer.from(hex, 'hex'), prefix)}`
}

/** Bytes in an encoding. `json` is for objects: for bytes the node refuses it. */
export function encode(encoding: Encoding, bytes: Uint8Array): string {
  if (encoding === 'json') throw new ServiceError('unsupported encoding in method')
  const tail = encoding === 'hexnc' ? '' : checksum(bytes).toString('hex')
  return `0x${Buffer.from(bytes).toString('hex')}${tail}`
}

/** The bytes of a text. Throws `ServiceError` with the node's message. */
export function decode(encoding: Encoding, text: string): Buffer {
  if (text === '') return Buffer.alloc(0)
  if (encoding === 'json') throw new ServiceError('unsupported encoding in method')
  if (!text.startsWith('0x')) throw new ServiceError('missing 0x prefix to hex encoding')
  const digits = text.slice(2)
  if (digits.length % 2 !== 0) throw new ServiceError('encoding/hex: odd length hex string')
  const wrong = /[^0-9a-f]/i.exec(digits)?.[0]
  if (wrong !== undefined) {
    const code = wrong.codePointAt(0) ?? 0
    const padded = code.toString(16).toUpperCase().padStart(4, '0')
    throw new ServiceError(`encoding/hex: invalid byte: U+${padded} '${wrong}'`)
  }
  const bytes = Buffer.from(digits, 'hex')
  return encoding === 'hexnc' ? bytes : withoutChecksum(bytes)
}

/** Unix seconds as the node writes times. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
