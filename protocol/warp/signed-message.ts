import { CodecError, Reader, UnknownTypeError } from '../codec/reader.ts'
import { blob, pack, sized, u32 } from '../codec/pack.ts'
import { readUnsigned } from './warp-messages.ts'

/** A message with the aggregate signature of some of its signers (docs/signatures.md). */
type SignedMessage = {
  /** The unsigned bytes. */
  readonly message: Uint8Array
  /** Indexes in the canonical set, ascending. */
  readonly signers: readonly number[]
  /** 96 bytes */
  readonly aggregate: Uint8Array
}

const aggregateSize = 96
const bitSetType = 0
/** Larger than any validator set; protects the codec against an endless bit set. */
const maxSigners = 65_536

/**
 * The minimal big-endian integer with the signers' bits set; empty without signers. Chains refuse a leading
 * zero byte.
 */
export function bitSetOf(signers: readonly number[]): Uint8Array {
  const highest = Math.max(-1, ...signers)
  if (highest >= maxSigners) throw new RangeError(`${highest} is past the places of a set`)
  const bytes = new Uint8Array(Math.ceil((highest + 1) / 8))
  for (const place of signers) {
    const at = bytes.length - 1 - Math.floor(place / 8)
    bytes[at] = (bytes[at] ?? 0) | (1 << (place % 8))
  }
  return bytes
}

function signersOf(bits: Uint8Array): number[] {
  const signers: number[] = []
  for (let place = 0; place < bits.length * 8; place += 1) {
    const byte = bits[bits.length - 1 - Math.floor(place / 8)] ?? 0
    if ((byte & (1 << (place % 8))) !== 0) signers.push(place)
  }
  return signers
}

/** The bytes of a signed message. */
export function encodeSigned({ message, signers, aggregate }: SignedMessage): Uint8Array {
  return pack(message, u32(bitSetType), blob(bitSetOf(signers)), sized(aggregate, aggregateSize))
}

/** Decodes a signed message. Throws CodecError, also for a bit set that is not minimal. */
export function decodeSigned(bytes: Uint8Array): SignedMessage {
  const reader = new Reader(bytes)
  readUnsigned(reader)
  const message = reader.since(0)
  const at = reader.offset
  const type = reader.u32()
  if (type !== bitSetType) throw new UnknownTypeError(`signature type ${type} is unknown`, at)
  const start = reader.offset
  const bits = reader.blob()
  if (bits.length > maxSigners / 8) throw new CodecError('the bit set passes every set', start)
  if (bits[0] === 0) throw new CodecError('the bit set begins with a zero byte', start)
  const aggregate = reader.fixed(aggregateSize)
  reader.end()
  return { message, signers: signersOf(bits), aggregate }
}
