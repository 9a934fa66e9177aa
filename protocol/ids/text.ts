import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import { decodeBase58, encodeBase58 } from './base58.ts'

/** A text that is not an id or address of the expected kind. */
export class TextFormError extends Error {
  override readonly name = 'TextFormError'
}

const nodePrefix = 'NodeID-'
const checksumSize = 4

/** Bytes, or the same as hex without 0x. */
type Bytes = Uint8Array | string

const bytesOf = (bytes: Bytes): Uint8Array => (typeof bytes === 'string' ? hexToBytes(bytes) : bytes)

/** Bytes followed by the last four bytes of their SHA-256. */
function withChecksum(bytes: Uint8Array): Uint8Array {
  return concatBytes(bytes, sha256(bytes).subarray(-checksumSize))
}

/** The bytes before the checksum that they end with; undefined if it does not fit. */
export function withoutChecksum(all: Uint8Array): Uint8Array | undefined {
  if (all.length < checksumSize) return undefined
  const bytes = all.subarray(0, -checksumSize)
  const checksum = all.subarray(-checksumSize)
  const right = sha256(bytes).subarray(-checksumSize)
  return checksum.every((byte, index) => byte === right[index]) ? bytes : undefined
}

/** Bytes in CB58: base 58 of the bytes followed by the last four bytes of their SHA-256. */
export function cb58(bytes: Bytes): string {
  return encodeBase58(withChecksum(bytesOf(bytes)))
}

/** The bytes of a cb58 text, `size` of them. Throws TextFormError. */
export function fromCb58(text: string, size: number): Uint8Array {
  // Each base-58 digit represents less than a byte: a longer text is invalid, and would be slow to decode.
  if (text.length > 2 * (size + checksumSize)) throw new TextFormError('the text is too long')
  const bytes = checkedCb58(text)
  if (bytes.length !== size) throw new TextFormError(`the text holds ${bytes.length} bytes, not ${size}`)
  return bytes
}

/** The bytes of a CB58 text of any length; use it for text of a limited length. Throws TextFormError. */
export function checkedCb58(text: string): Uint8Array {
  const all = decodeBase58(text)
  if (!all) throw new TextFormError('the text is not in base 58')
  const bytes = withoutChecksum(all)
  if (!bytes) throw new TextFormError('the checksum does not fit')
  return bytes
}

/** An id of 32 bytes: of a transaction, a block, a chain, a subnet, an asset. Throws TextFormError. */
export function idOfText(text: string): Uint8Array {
  return fromCb58(text, 32)
}

/** A node id as text. L1 validators may have ids of other lengths, which are written in CB58 as well. */
export function nodeIdText(bytes: Bytes): string {
  return nodePrefix + cb58(bytes)
}

/** The 20 bytes of a node id. Throws TextFormError. */
export function nodeIdOfText(text: string): Uint8Array {
  if (!text.startsWith(nodePrefix)) throw new TextFormError(`a node id begins with ${nodePrefix}`)
  return fromCb58(text.slice(nodePrefix.length), 20)
}

/** An address of 20 bytes in bech32 with the network's prefix, without that of a chain. */
export function addressText(bytes: Bytes, prefix: string): string {
  return bech32.encodeFromBytes(prefix, bytesOf(bytes))
}

/** The form of an address of 20 bytes; whether its checksum fits is another question. */
const bech32Form = /^([pxc]-)?[a-z]{1,16}1[02-9ac-hj-np-z]{38}$/

/** The 20 bytes of an address with or without `P-`, `X-` or `C-`. Throws TextFormError. */
export function addressOfText(text: string, prefix: string): Uint8Array {
  let decoded: ReturnType<typeof bech32.decode>
  try {
    decoded = bech32.decode(text.replace(/^[PXC]-/i, '') as `${string}1${string}`)
  } catch {
    const isBech32 = bech32Form.test(text.toLowerCase())
    throw new TextFormError(isBech32 ? 'the checksum does not fit' : 'the address is not in bech32')
  }
  if (decoded.prefix !== prefix) throw new TextFormError(`addresses of this network begin with ${prefix}1`)
  const bytes = bech32.fromWords(decoded.words)
  if (bytes.length !== 20) throw new TextFormError('an address has 20 bytes')
  return bytes
}

/** Bytes as 0x text. */
export function hexText(bytes: Uint8Array): string {
  return `0x${bytesToHex(bytes)}`
}

/** Bytes in a node's `hex` encoding, which ends with a checksum. */
export function checkedHex(bytes: Uint8Array): string {
  return hexText(withChecksum(bytes))
}

/** The bytes of a node's `hex` encoding, which ends with a checksum. Throws TextFormError. */
export function fromCheckedHex(text: string): Uint8Array {
  const bytes = withoutChecksum(fromHex(text))
  if (!bytes) throw new TextFormError('the checksum does not fit')
  return bytes
}

/** The bytes of 0x text. Throws TextFormError. */
export function fromHex(text: string): Uint8Array {
  if (!/^0x([0-9a-f]{2})*$/i.test(text)) throw new TextFormError('the text is not in hex')
  return hexToBytes(text.slice(2))
}
