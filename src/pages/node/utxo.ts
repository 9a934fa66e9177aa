import { base58, bech32 } from '@scure/base'
import { hexToBytes, sha256 } from 'viem/utils'
import { CodecError } from '../../../protocol/codec/reader.ts'
import { decodeUtxo as readUtxo } from '../../../protocol/primary/outputs.ts'

/** The decoded bytes of a UTXO with an amount that keys unlock. */
export type UtxoFacts = {
  /** The transaction that created it, and its output index. */
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

/** Bytes as cb58: base58 of the bytes and the last four bytes of their SHA-256. */
function cb58(bytes: Uint8Array): string {
  const sum = sha256(bytes, 'bytes').slice(-4)
  const all = new Uint8Array(bytes.length + 4)
  all.set(bytes)
  all.set(sum, bytes.length)
  return base58.encode(all)
}

/**
 * Decodes a UTXO in hex with its checksum: codec, transaction, index, asset, and an output of an amount for keys.
 * Undefined for anything else, such as an NFT. `prefix` is the network's, such as `fuji`.
 */
export function decodeUtxo(hex: string, prefix: string): UtxoFacts | undefined {
  if (!/^0x([0-9a-fA-F]{2})+$/.test(hex)) return undefined
  const all = hexToBytes(hex as `0x${string}`)
  const bytes = all.slice(0, -4)
  const sum = sha256(bytes, 'bytes').slice(-4)
  if (all.length < 4 || sum.some((byte, index) => byte !== all[bytes.length + index])) return undefined
  try {
    const { txId, outputIndex, assetId, output } = readUtxo(bytes, 'C')
    if (output.type !== 'TRANSFER') return undefined
    const { locktime, threshold, addresses } = output.owner
    return {
      txId: cb58(txId),
      outputIndex,
      assetId: cb58(assetId),
      amount: output.amount,
      locktime,
      threshold,
      addresses: addresses.map((address) => bech32.encodeFromBytes(prefix, address)),
    }
  } catch (error) {
    if (error instanceof CodecError) return undefined
    throw error
  }
}
