import { blob, decode, encode, list, type Of, position, struct, text, u64 } from '../codec/schema.ts'
import { sha256 } from '../native/hashes.ts'
import { utxos } from './outputs.ts'
import { pTx } from './p-transactions.ts'
import { createAsset, decodeXTx, xTx, type XTx } from './x-transactions.ts'

/** The genesis of the P-Chain: its state before the first block. `supply` is in nAVAX, before validators' rewards. */
export const pGenesis = struct({
  utxos: list(struct({ utxo: utxos.P, message: blob })),
  validators: list(pTx),
  chains: list(pTx),
  time: position,
  supply: u64,
  message: text,
})
/** The genesis of the P-Chain. `id` is the hash of its bytes: the parent of block 0. */
export type PGenesis = Of<typeof pGenesis> & { readonly id: Uint8Array }

/** Decodes genesis bytes, their codec version included. Throws CodecError. */
export function decodePGenesis(bytes: Uint8Array): PGenesis {
  return { id: sha256(bytes), ...decode(pGenesis, bytes) }
}

/** The genesis of the X-Chain: its assets by alias. */
export const xGenesis = list(struct({ alias: text, asset: createAsset }))

/** An asset of the X-Chain's genesis, as the transaction that it counts as. */
type GenesisAsset = { readonly alias: string; readonly transaction: XTx }

/** Decodes the genesis data of the X-Chain's CreateChainTx, its codec version included. Throws CodecError. */
export function decodeXGenesis(bytes: Uint8Array): GenesisAsset[] {
  return decode(xGenesis, bytes).map(({ alias, asset }) => {
    const signed = encode(xTx, { unsigned: { type: 'CreateAssetTx', ...asset }, credentials: [] })
    return { alias, transaction: decodeXTx(signed.subarray(2)) }
  })
}
