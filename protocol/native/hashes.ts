import { createHash, hash } from 'node:crypto'

const version = new Uint8Array(2)

/** SHA-256 of all parts, by Node.js: the indexer hashes every block and transaction. */
export function sha256(...parts: readonly Uint8Array[]): Buffer {
  const [whole] = parts
  return digest(parts.length === 1 && whole ? whole : Buffer.concat(parts))
}

/**
 * One native call takes half the time of three, and a block needs dozens of hashes. Returning text avoids a
 * separate buffer outside the heap, whose allocation takes as long again.
 */
function digest(bytes: Uint8Array): Buffer {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'latin1')
}

/** SHA-256 as hex without 0x. */
export function sha256Hex(bytes: Uint8Array): string {
  return hash('sha256', bytes)
}

/** Fits most transactions with the codec's version. */
const txScratch = new Uint8Array(4_096)
const utxoScratch = new Uint8Array(40)
const utxoView = new DataView(utxoScratch.buffer)

/** The id of a transaction from its signed bytes without the codec's version, as embedded in a block. */
export function txIdOf(bytes: Uint8Array): Uint8Array {
  const size = version.length + bytes.length
  if (size > txScratch.length) return sha256(version, bytes)
  txScratch.set(bytes, version.length)
  return digest(txScratch.subarray(0, size))
}

/** The id of a UTXO: the output's index as 64 bits, then the transaction's id, hashed. */
export function utxoIdOf(txId: Uint8Array, outputIndex: number): Uint8Array {
  utxoView.setUint32(4, outputIndex)
  utxoScratch.set(txId, 8)
  return digest(utxoScratch)
}

/**
 * The id of an L1 validator created by a conversion: the hash of the subnet's id and its index in the list.
 */
export function convertedValidationId(subnet: Uint8Array, index: number): Uint8Array {
  const suffix = new Uint8Array(4)
  new DataView(suffix.buffer).setUint32(0, index)
  return sha256(subnet, suffix)
}

/** Number of certificates whose node ids are cached, because a network's proposers repeat. */
const maxCertificates = 2_048
const nodeIds = new Map<string, Uint8Array>()

/** The node id of a staking certificate in DER. */
export function nodeIdOf(certificate: Uint8Array): Uint8Array {
  const key = Buffer.from(certificate.buffer, certificate.byteOffset, certificate.length).toString('latin1')
  const known = nodeIds.get(key)
  if (known) return known
  const nodeId = createHash('ripemd160').update(sha256(certificate)).digest()
  if (nodeIds.size >= maxCertificates) nodeIds.clear()
  nodeIds.set(key, nodeId)
  return nodeId
}

/** A signed transaction as returned by the node's API: with the codec's version. */
export function withVersion(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([version, bytes])
}
