import { sha256 as sha256Of } from '../../protocol/ids/hashes.ts'
import {
  addressOfText,
  addressText,
  cb58,
  checkedCb58,
  nodeIdText,
  TextFormError,
} from '../../protocol/ids/text.ts'
import { bareHex } from '../kernel/hex.ts'
import type { Hex } from './ledger.ts'

/** The prefix of the test network's addresses. */
const hrp = 'fuji'

export function sha256(bytes: Uint8Array | string): Buffer {
  return Buffer.from(sha256Of(typeof bytes === 'string' ? Buffer.from(bytes) : bytes))
}

export function sha256Hex(bytes: Uint8Array): Hex {
  return hexOf(sha256Of(bytes))
}

export function bytesOf(hex: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'))
}

export function hexOf(bytes: Uint8Array): Hex {
  return bareHex(bytes)
}

/** An id in CB58. */
export function cb58Of(hex: Hex): string {
  return cb58(bytesOf(hex))
}

/** The result of `read`; undefined if the text is malformed. */
function orUndefined(read: () => Uint8Array): Hex | undefined {
  try {
    return hexOf(read())
  } catch (error) {
    if (error instanceof TextFormError) return undefined
    throw error
  }
}

/** The bytes of a CB58 text as hex; undefined if it is invalid. */
export function hexOfCb58(text: string): Hex | undefined {
  return orUndefined(() => checkedCb58(text))
}

/** `NodeID-…` of a node id's 20 bytes. */
export function nodeIdOf(hex: Hex): string {
  return nodeIdText(bytesOf(hex))
}

/** An address in the node's format: `P-fuji1…`. */
export function addressOf(chain: 'P' | 'X' | 'C', hex: Hex): string {
  return `${chain}-${addressText(bytesOf(hex), hrp)}`
}

/**
 * The 20 bytes of a bech32 address, with or without a chain prefix; undefined if it is not an address of this
 * network.
 */
export function hexOfAddress(text: string): Hex | undefined {
  return orUndefined(() => addressOfText(text, hrp))
}

/** A value with its bytes converted to hex, the form in which the ledger keeps ids. */
export type Hexed<T> = T extends Uint8Array
  ? Hex
  : T extends readonly (infer Item)[]
    ? readonly Hexed<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Hexed<T[Key]> }
      : T

/** Converts the result of the protocol's decoder to the ledger's form. */
export function hexed<T>(value: T): Hexed<T> {
  return hexedValue(value) as Hexed<T>
}

function hexedValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return hexOf(value)
  if (Array.isArray(value)) return value.map(hexedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, hexedValue(each)]))
}
