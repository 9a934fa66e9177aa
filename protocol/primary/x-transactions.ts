import {
  type AssetInput,
  type AssetOutput,
  leastSizes,
  type Output,
  type Owner,
  readAmount,
  readIndices,
  readNft,
  readOutput,
  readOwner,
  readReference,
  type TransferOutput,
  typeIds,
  type UtxoReference,
  xTypeIds,
} from './outputs.ts'
import { Reader, UnknownTypeError } from '../codec/reader.ts'
import {
  type BaseFields,
  readBase,
  readBounded,
  readInputs,
  readOutputs,
  readSigned,
  type Signed,
  type UnknownTx,
} from './transactions.ts'
import { xTxTypeIds } from './transaction-types.ts'

const chain = 'X'

/** What an asset begins with under one feature extension: 0 secp256k1, 1 NFT, 2 property. */
export type InitialState = { readonly fxIndex: number; readonly outputs: readonly Output[] }

/** What an operation does; `signatureIndices` sign for the outputs that it uses up. */
export type XOperation =
  | {
      readonly type: 'MINT'
      readonly signatureIndices: readonly number[]
      readonly mintOwner: Owner
      readonly output: TransferOutput
    }
  | {
      readonly type: 'NFT_MINT'
      readonly signatureIndices: readonly number[]
      readonly groupId: number
      readonly payload: Uint8Array
      readonly owners: readonly Owner[]
    }
  | {
      readonly type: 'NFT_TRANSFER'
      readonly signatureIndices: readonly number[]
      readonly output: Extract<Output, { type: 'NFT_TRANSFER' }>
    }
  | {
      readonly type: 'PROPERTY_MINT'
      readonly signatureIndices: readonly number[]
      readonly mintOwner: Owner
      readonly owner: Owner
    }
  | { readonly type: 'PROPERTY_BURN'; readonly signatureIndices: readonly number[] }

/** An operation on outputs of one asset. */
export type AssetOperation = {
  readonly assetId: Uint8Array
  readonly references: readonly UtxoReference[]
  readonly operation: XOperation
}

export type AssetDefinition = {
  readonly name: string
  readonly symbol: string
  readonly denomination: number
  readonly states: readonly InitialState[]
}

type Based<Type extends string, Fields = unknown> = {
  readonly type: Type
  readonly base: BaseFields
} & Fields

/** What an X-chain transaction says, by its type. */
export type XUnsigned =
  | Based<'BaseTx'>
  | Based<'CreateAssetTx', AssetDefinition>
  | Based<'OperationTx', { operations: readonly AssetOperation[] }>
  | Based<'ImportTx', { sourceChain: Uint8Array; importedInputs: readonly AssetInput[] }>
  | Based<'ExportTx', { destinationChain: Uint8Array; exportedOutputs: readonly AssetOutput[] }>

/** A signed X-chain transaction. */
export type XTx = Signed<XUnsigned | UnknownTx>

/** A transaction inside a block. Throws CodecError; of an unknown type, UnknownTypeError. */
export function readXTx(reader: Reader): XTx {
  return readSigned(reader, chain, readXUnsigned)
}

/** The bytes of one transaction without a codec version: an unknown type becomes `UNKNOWN`. */
export function decodeXTx(bytes: Uint8Array): XTx {
  return readBounded(new Reader(bytes), chain, readXUnsigned)
}

function readXUnsigned(reader: Reader, type: number): XUnsigned {
  switch (type) {
    case xTxTypeIds.BaseTx:
      return { type: 'BaseTx', base: readBase(reader, chain) }
    case xTxTypeIds.CreateAssetTx:
      return readCreateAsset(reader)
    case xTxTypeIds.OperationTx:
      return {
        type: 'OperationTx',
        base: readBase(reader, chain),
        operations: reader.list(leastOperation, () => readAssetOperation(reader)),
      }
    case xTxTypeIds.ImportTx:
      return {
        type: 'ImportTx',
        base: readBase(reader, chain),
        sourceChain: reader.id(),
        importedInputs: readInputs(reader, chain),
      }
    case xTxTypeIds.ExportTx:
      return {
        type: 'ExportTx',
        base: readBase(reader, chain),
        destinationChain: reader.id(),
        exportedOutputs: readOutputs(reader, chain),
      }
    default:
      throw new UnknownTypeError(`X-chain transaction type ${type} is unknown`, reader.offset)
  }
}

/** The body of a CreateAssetTx, which the genesis has too. */
export function readCreateAsset(reader: Reader): Extract<XUnsigned, { type: 'CreateAssetTx' }> {
  return {
    type: 'CreateAssetTx',
    base: readBase(reader, chain),
    name: reader.text(),
    symbol: reader.text(),
    denomination: reader.u8(),
    states: reader.list(leastState, () => ({
      fxIndex: reader.u32(),
      outputs: reader.list(leastSizes.output, () => readOutput(reader, chain)),
    })),
  }
}

/** Bytes of an initial state without outputs, and of an operation that uses up nothing. */
const leastState = 8
const leastOperation = 32 + 4 + 4 + 4

function readAssetOperation(reader: Reader): AssetOperation {
  return {
    assetId: reader.id(),
    references: reader.list(leastSizes.reference, () => readReference(reader)),
    operation: readOperation(reader),
  }
}

function readOperation(reader: Reader): XOperation {
  const at = reader.offset
  const type = reader.u32()
  switch (type) {
    case typeIds.mintOperation:
      return {
        type: 'MINT',
        signatureIndices: readIndices(reader),
        mintOwner: readOwner(reader),
        output: readAmount(reader, 0n),
      }
    case xTypeIds.nftMintOperation:
      return {
        type: 'NFT_MINT',
        signatureIndices: readIndices(reader),
        groupId: reader.u32(),
        payload: reader.blob(),
        owners: reader.list(leastSizes.owner, () => readOwner(reader)),
      }
    case xTypeIds.nftTransferOperation:
      return { type: 'NFT_TRANSFER', signatureIndices: readIndices(reader), output: readNft(reader) }
    case xTypeIds.propertyMintOperation:
      return {
        type: 'PROPERTY_MINT',
        signatureIndices: readIndices(reader),
        mintOwner: readOwner(reader),
        owner: readOwner(reader),
      }
    case xTypeIds.propertyBurnOperation:
      return { type: 'PROPERTY_BURN', signatureIndices: readIndices(reader) }
    default:
      throw new UnknownTypeError(`X-chain operation type ${type} is unknown`, at)
  }
}

/** The outputs that an operation makes, in the order of their indexes. */
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
