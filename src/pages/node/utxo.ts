import { CodecError } from '../../../protocol/codec/reader.ts'
import { addressText, cb58, fromCheckedHex, TextFormError } from '../../../protocol/ids/text.ts'
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

/**
 * Decodes a UTXO in hex with its checksum: codec, transaction, index, asset, and an output of an amount for keys.
 * Undefined for anything else, such as an NFT. `prefix` is the network's, such as `fuji`.
 */
export function decodeUtxo(hex: string, prefix: string): UtxoFacts | undefined {
  try {
    const { txId, outputIndex, assetId, output } = readUtxo(fromCheckedHex(hex), 'C')
    if (output.type !== 'TRANSFER') return undefined
    const { locktime, threshold, addresses } = output.owner
    return {
      txId: cb58(txId),
      outputIndex,
      assetId: cb58(assetId),
      amount: output.amount,
      locktime,
      threshold,
      addresses: addresses.map((address) => addressText(address, prefix)),
    }
  } catch (error) {
    if (error instanceof CodecError || error instanceof TextFormError) return undefined
    throw error
  }
}
