import { createHash, hash } from 'node:crypto'

const version = new Uint8Array(2)

/** SHA-256 of all parts. */
export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const [whole] = parts
  // One call of the native side takes half of what three take, and a block needs dozens of hashes.
  return hash('sha256', parts.length === 1 && whole ? whole : Buffer.concat(parts), 'buffer')
}

/** The id of a transaction from its signed bytes without the codec's version, as a block holds them. */
export function txIdOf(bytes: Uint8Array): Uint8Array {
  return sha256(version, bytes)
}

/** The id of a UTXO: the output's index as 64 bits, then the transaction's id, hashed. */
export function utxoIdOf(txId: Uint8Array, outputIndex: number): Uint8Array {
  const prefix = new Uint8Array(8)
  new DataView(prefix.buffer).setUint32(4, outputIndex)
  return sha256(prefix, txId)
}

/** The id of an L1 validator that a conversion made: the subnet's id and its place in the list, hashed. */
export function convertedValidationId(subnet: Uint8Array, index: number): Uint8Array {
  const suffix = new Uint8Array(4)
  new DataView(suffix.buffer).setUint32(0, index)
  return sha256(subnet, suffix)
}

/** The node id of a staking certificate in DER. */
export function nodeIdOf(certificate: Uint8Array): Uint8Array {
  return createHash('ripemd160').update(sha256(certificate)).digest()
}

/** A signed transaction as the node's API returns it: behind the codec's version. */
export function withVersion(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([version, bytes])
}
