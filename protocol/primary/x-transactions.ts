import { Reader } from '../codec/reader.ts'
import { blob, type Codec, id, list, type Of, struct, text, u32, u8, union } from '../codec/schema.ts'
import {
  assetInput,
  assetOutputs,
  nft,
  type Output,
  outputs,
  owner,
  plainAmount,
  signatureIndices,
  typeIds,
  utxoReference,
  xTypeIds,
} from './outputs.ts'
import { xTxTypeIds as types } from './transaction-types.ts'
import { baseOf, type Signed, SignedCodec, type UnknownTx } from './transactions.ts'

type Nft = Extract<Output, { type: 'NFT_TRANSFER' }>
const nftOutput: Codec<Nft> = {
  minBytes: nft.minBytes,
  read: (reader) => ({ type: 'NFT_TRANSFER', ...nft.read(reader) }),
  write: (writer, value) => nft.write(writer, value),
}

/** The action of an operation; `signatureIndices` sign for the outputs that it consumes. */
const operation = union('X-Chain operation', {
  MINT: [typeIds.mintOperation, { signatureIndices, mintOwner: owner, output: plainAmount }],
  NFT_MINT: [
    xTypeIds.nftMintOperation,
    { signatureIndices, groupId: u32, payload: blob, owners: list(owner) },
  ],
  NFT_TRANSFER: [xTypeIds.nftTransferOperation, { signatureIndices, output: nftOutput }],
  PROPERTY_MINT: [xTypeIds.propertyMintOperation, { signatureIndices, mintOwner: owner, owner }],
  PROPERTY_BURN: [xTypeIds.propertyBurnOperation, { signatureIndices }],
})
export type XOperation = Of<typeof operation>

/** An operation on outputs of one asset. */
const assetOperation = struct({ assetId: id, references: list(utxoReference), operation })
export type AssetOperation = Of<typeof assetOperation>

/** The initial outputs of an asset for one feature extension: 0 secp256k1, 1 NFT, 2 property. */
const initialState = struct({ fxIndex: u32, outputs: list(outputs.X) })

const base = baseOf('X')
const definition = { base, name: text, symbol: text, denomination: u8, states: list(initialState) }
/** The definition of an asset without a type id, as in the genesis of the X-Chain. */
export const createAsset = struct(definition)

/** The unsigned transactions of the X-Chain, by type. */
export const xUnsigned = union('X-Chain transaction', {
  BaseTx: [types.BaseTx, { base }],
  CreateAssetTx: [types.CreateAssetTx, definition],
  OperationTx: [types.OperationTx, { base, operations: list(assetOperation) }],
  ImportTx: [types.ImportTx, { base, sourceChain: id, importedInputs: list(assetInput('X')) }],
  ExportTx: [types.ExportTx, { base, destinationChain: id, exportedOutputs: list(assetOutputs.X) }],
})
/** The unsigned transaction of one type. */
export type XUnsigned = Of<typeof xUnsigned>

/** The signed transactions of the X-Chain. */
export const xTx = new SignedCodec('X', xUnsigned)
/** A signed X-Chain transaction. */
export type XTx = Signed<XUnsigned | UnknownTx>

/** Decodes one transaction without a codec version; an unknown type becomes `UNKNOWN`. */
export function decodeXTx(bytes: Uint8Array): XTx {
  return xTx.readLast(new Reader(bytes))
}

/** The outputs of an operation, in index order. */
export function operationOutputs(operation: XOperation): Output[] {
  switch (operation.type) {
    case 'MINT':
      return [{ type: 'MINT', owner: operation.mintOwner }, operation.output]
    case 'NFT_MINT': {
      const { groupId, payload } = operation
      return operation.owners.map((owner) => ({ type: 'NFT_TRANSFER', groupId, payload, owner }))
    }
    case 'NFT_TRANSFER':
      return [operation.output]
    case 'PROPERTY_MINT':
      return [
        { type: 'PROPERTY_MINT', owner: operation.mintOwner },
        { type: 'PROPERTY_OWNED', owner: operation.owner },
      ]
    case 'PROPERTY_BURN':
      return []
  }
}
