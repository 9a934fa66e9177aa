import { decodeBase58 } from '../../../protocol/ids/base58.ts'
import { checkedHex, hexText, withoutChecksum } from '../../../protocol/ids/text.ts'
import { ServiceError } from './service-errors.ts'

/** How bytes are written: hex with a 4-byte checksum (two names for it), hex without one, or whole objects. */
export type Encoding = 'hex' | 'hexc' | 'hexnc' | 'json'

const checksumLength = 4
/** Bytes of an address and of a node id. */
export const addressLength = 20

/** The bytes before the checksum. Throws `ServiceError` with the node's message. */
function checked(bytes: Uint8Array): Buffer {
  if (bytes.length < checksumLength) {
    throw new ServiceError('input string is smaller than the checksum size')
  }
  const raw = withoutChecksum(bytes)
  if (!raw) throw new ServiceError('invalid input checksum')
  return Buffer.from(raw)
}

/** The bytes of a cb58 text. Throws `ServiceError` with the node's message. */
export function fromCb58(text: string): Buffer {
  if (text === '') throw new ServiceError('base58 decoding error: zero length string')
  const bytes = decodeBase58(text)
  if (bytes === undefined) throw new ServiceError('base58 decoding error: invalid base58 digit')
  return checked(bytes)
}

/** Bytes in an encoding. `json` is for objects: for bytes the node refuses it. */
export function encode(encoding: Encoding, bytes: Uint8Array): string {
  if (encoding === 'json') throw new ServiceError('unsupported encoding in method')
  return encoding === 'hexnc' ? hexText(bytes) : checkedHex(bytes)
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
  return encoding === 'hexnc' ? bytes : checked(bytes)
}

/** Unix seconds as the node writes times. */
export function timeText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}
