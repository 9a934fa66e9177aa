import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { checkedCb58, TextFormError } from './text.ts'

/** Bytes as lower-case hex without 0x: ids have 64 digits, addresses and node ids 40. */
export type BareHex = string

/** Bytes as hex without 0x. */
export function hexOf(bytes: Uint8Array): BareHex {
  return bytesToHex(bytes)
}

/** The bytes of hex without 0x. Throws an Error for anything else. */
export function bytesOf(hex: BareHex): Uint8Array {
  return hexToBytes(hex)
}

/** The bytes of a CB58 text as hex without 0x; undefined if it is invalid. Use it for text of a limited length. */
export function hexOfCb58(text: string): BareHex | undefined {
  try {
    return hexOf(checkedCb58(text))
  } catch (error) {
    if (error instanceof TextFormError) return undefined
    throw error
  }
}
