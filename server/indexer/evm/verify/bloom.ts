import { hex, list, object, type JsonObject } from '../../../kernel/json.ts'
import { keccak256 } from '../../../kernel/keccak.ts'
import { bytesOfHex } from './rlp.ts'

/** Bit positions by hashed text. Addresses and topics repeat, and hashing is the main cost of a bloom. */
const positions = new Map<string, readonly [number, number, number]>()
const positionsKept = 50_000

/** A 2,048-bit logs bloom that is being built. */
export type Bloom = Uint8Array

export function emptyBloom(): Bloom {
  return new Uint8Array(256)
}

/** Adds an address or a topic (0x text) to a bloom. */
export function addToBloom(bloom: Bloom, hex: string): void {
  for (const bit of bitsOf(hex)) {
    const index = 255 - (bit >> 3)
    bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
  }
}

/** The bloom of the logs in a node's receipts. Throws a refusal if they are malformed. */
export function bloomOfReceipts(receipts: readonly JsonObject[]): Bloom {
  const bloom = emptyBloom()
  for (const receipt of receipts) {
    for (const value of list(receipt['logs'], 'the logs')) {
      const log = object(value, 'a log')
      addToBloom(bloom, hex(log['address'], 'an address', 20))
      for (const topic of list(log['topics'], 'the topics')) addToBloom(bloom, hex(topic, 'a topic', 32))
    }
  }
  return bloom
}

/** The union of several blooms. */
export function unionOfBlooms(blooms: readonly Bloom[]): Bloom {
  const union = emptyBloom()
  for (const bloom of blooms)
    for (let at = 0; at < bloom.length; at += 1) union[at] = (union[at] ?? 0) | (bloom[at] ?? 0)
  return union
}

/** Whether a bloom equals the one in a header (0x text). */
export function sameBloom(bloom: Bloom, hex: string): boolean {
  return Buffer.from(bloom.buffer, bloom.byteOffset, bloom.length).toString('hex') === hex.slice(2)
}

function bitsOf(hex: string): readonly [number, number, number] {
  const known = positions.get(hex)
  if (known) return known
  const hash = keccak256(bytesOfHex(hex))
  const bit = (at: number) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
  const bits = [bit(0), bit(2), bit(4)] as const
  if (positions.size >= positionsKept) positions.clear()
  positions.set(hex, bits)
  return bits
}
