import { sha256, txIdOf } from '../ids/hashes.ts'
import { readUtxo, type Utxo } from './outputs.ts'
import { readPTx } from './p-transactions.ts'
import type { PTx } from './p-types.ts'
import { Reader } from '../codec/reader.ts'
import { u32 } from '../codec/pack.ts'
import { xTxTypeIds } from './transaction-types.ts'
import { readCreateAsset, type XTx } from './x-transactions.ts'

/** The genesis of the P-chain: what there is before the first block. */
export type PGenesis = {
  /** SHA-256 of the bytes: the parent of block 0. */
  readonly id: Uint8Array
  readonly utxos: readonly { readonly utxo: Utxo; readonly message: Uint8Array }[]
  readonly validators: readonly PTx[]
  readonly chains: readonly PTx[]
  readonly time: number
  /** In nAVAX, before the validators' rewards are added. */
  readonly supply: bigint
  readonly message: string
}

const leastUtxo = 32 + 4 + 32 + 4 + 8 + 16 + 4
const leastTx = 4 + 8 + 4

/** Decodes genesis bytes, their codec version included. Throws CodecError. */
export function decodePGenesis(bytes: Uint8Array): PGenesis {
  const reader = new Reader(bytes)
  reader.version()
  const genesis = {
    id: sha256(bytes),
    utxos: reader.list(leastUtxo, () => ({ utxo: readUtxo(reader, 'P'), message: reader.blob() })),
    validators: reader.list(leastTx, () => readPTx(reader)),
    chains: reader.list(leastTx, () => readPTx(reader)),
    time: reader.position(),
    supply: reader.u64(),
    message: reader.text(),
  }
  reader.end()
  return genesis
}

/** An asset of the X-chain's genesis, as the transaction that it counts as. */
export type GenesisAsset = { readonly alias: string; readonly transaction: XTx }

const createAsset = u32(xTxTypeIds.CreateAssetTx)
const noCredentials = new Uint8Array(4)

/** Decodes the genesis data of the X-chain's CreateChainTx, its codec version included. Throws CodecError. */
export function decodeXGenesis(bytes: Uint8Array): GenesisAsset[] {
  const reader = new Reader(bytes)
  reader.version()
  const assets = reader.list(2 + 4 + 32 + 4 + 4 + 4 + 2 + 2 + 1 + 4, () => {
    const alias = reader.text()
    const start = reader.offset
    const unsigned = readCreateAsset(reader)
    const signed = Buffer.concat([createAsset, reader.since(start), noCredentials])
    return {
      alias,
      transaction: {
        id: txIdOf(signed),
        bytes: signed,
        typeId: xTxTypeIds.CreateAssetTx,
        unsigned,
        unsignedBytes: signed.subarray(0, -noCredentials.length),
        credentials: [],
      },
    }
  })
  reader.end()
  return assets
}
