import { base58, bech32 } from '@scure/base'
import { hexToBytes, sha256 } from 'viem/utils'

/** What the bytes of a UTXO say (real-node.md, Bytes), as far as it is an amount that keys unlock. */
export type UtxoFacts = {
  /** The transaction that made it, and its place among the outputs. */
  txId: string
  outputIndex: number
  assetId: string
  /** In the smallest unit of the asset. */
  amount: bigint
  /** Unix seconds until which it is locked; 0 for none. */
  locktime: bigint
  threshold: number
  addresses: readonly string[]
}

/** Bytes as cb58: base58 of them and the last four bytes of their SHA-256. */
export function cb58(bytes: Uint8Array): string {
  const sum = sha256(bytes, 'bytes').slice(-4)
  const all = new Uint8Array(bytes.length + 4)
  all.set(bytes)
  all.set(sum, bytes.length)
  return base58.encode(all)
}

const idBytes = 32
const addressBytes = 20
const secpTransfer = 7

/**
 * The facts of a UTXO in hex with its checksum: codec, transaction, index, asset, and an output of an amount
 * for keys. Undefined for anything else, such as an NFT. `prefix` is the network's, such as `fuji`.
 */
export function decodeUtxo(hex: string, prefix: string): UtxoFacts | undefined {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(hex)) return undefined
  const bytes = hexToBytes(hex as `0x${string}`)
  const head = 2 + idBytes + 4 + idBytes + 4 + 8 + 8 + 4 + 4
  if (bytes.length < head + 4) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const assetAt = 2 + idBytes + 4
  const outputAt = assetAt + idBytes
  const count = view.getUint32(outputAt + 24)
  if (view.getUint16(0) !== 0 || view.getUint32(outputAt) !== secpTransfer) return undefined
  if (bytes.length !== head + count * addressBytes + 4) return undefined
  const sum = sha256(bytes.slice(0, -4), 'bytes').slice(-4)
  if (sum.some((byte, index) => byte !== bytes[bytes.length - 4 + index])) return undefined
  const addresses = Array.from({ length: count }, (_, index) => {
    const start = head + index * addressBytes
    return bech32.encodeFromBytes(prefix, bytes.slice(start, start + addressBytes))
  })
  return {
    txId: cb58(bytes.slice(2, 2 + idBytes)),
    outputIndex: view.getUint32(2 + idBytes),
    assetId: cb58(bytes.slice(assetAt, assetAt + idBytes)),
    amount: view.getBigUint64(outputAt + 4),
    locktime: view.getBigUint64(outputAt + 12),
    threshold: view.getUint32(outputAt + 20),
    addresses,
  }
}
