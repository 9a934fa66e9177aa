import { createHash } from 'node:crypto'
import { base58, bech32 } from '@scure/base'
import type { Hex } from './ledger.ts'

/** The prefix of the test network's addresses. */
const HRP = 'fuji'

export function sha256(bytes: Uint8Array | string): Buffer {
  return createHash('sha256').update(bytes).digest()
}

export function sha256Hex(bytes: Uint8Array): Hex {
  return createHash('sha256').update(bytes).digest('hex')
}

export function bytesOf(hex: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

export function hexOf(bytes: Uint8Array): Hex {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}

/** Base 58 with the last four bytes of the SHA-256 behind the bytes: how the node writes ids. */
export function cb58Of(hex: Hex): string {
  const bytes = Buffer.from(hex, 'hex')
  return base58.encode(Buffer.concat([bytes, sha256(bytes).subarray(-4)]))
}

/** The bytes of a cb58 text as hex; undefined when it is none. */
export function hexOfCb58(text: string): Hex | undefined {
  let all: Uint8Array
  try {
    all = base58.decode(text)
  } catch {
    return undefined
  }
  if (all.length < 4) return undefined
  const bytes = all.subarray(0, -4)
  return sha256(bytes).subarray(-4).equals(all.subarray(-4)) ? hexOf(bytes) : undefined
}

/** `NodeID-…` of a node id's 20 bytes. */
export function nodeIdOf(hex: Hex): string {
  return `NodeID-${cb58Of(hex)}`
}

/** An address as the node writes it: `P-fuji1…`. */
export function addressOf(chain: 'P' | 'X' | 'C', hex: Hex): string {
  return `${chain}-${bech32.encode(HRP, bech32.toWords(bytesOf(hex)))}`
}

/** The 20 bytes of a bech32 address, with or without a chain before it; undefined when it is none of this network. */
export function hexOfAddress(text: string): Hex | undefined {
  const bare = text.replace(/^[PXC]-/, '')
  const found = bech32.decodeUnsafe(bare)
  if (found === undefined || found.prefix !== HRP) return undefined
  const bytes = bech32.fromWordsUnsafe(found.words)
  return bytes?.length === 20 ? hexOf(bytes) : undefined
}
