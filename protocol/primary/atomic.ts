import {
  type AssetInput,
  type AssetOutput,
  type CodecChain,
  leastSizes,
  readTransferOutput,
  type TransferOutput,
} from './outputs.ts'
import { CodecError, Reader, UnknownTypeError } from '../codec/reader.ts'
import { cTxTypeIds } from './transaction-types.ts'
import { readInputs, readSigned, type Signed } from './transactions.ts'

const chain: CodecChain = 'C'

/** What an import pays to an account of the C-chain. */
export type EvmOutput = {
  readonly address: Uint8Array
  readonly amount: bigint
  readonly assetId: Uint8Array
}

/** What an export takes from an account of the C-chain. */
export type EvmInput = EvmOutput & { readonly nonce: bigint }

/** What an atomic transaction of the C-chain says, by its type. */
export type AtomicUnsigned =
  | {
      readonly type: 'ImportTx'
      readonly networkId: number
      readonly blockchainId: Uint8Array
      readonly sourceChain: Uint8Array
      readonly importedInputs: readonly AssetInput[]
      readonly evmOutputs: readonly EvmOutput[]
    }
  | {
      readonly type: 'ExportTx'
      readonly networkId: number
      readonly blockchainId: Uint8Array
      readonly destinationChain: Uint8Array
      readonly evmInputs: readonly EvmInput[]
      readonly exportedOutputs: readonly AssetOutput<TransferOutput>[]
    }

/** A signed atomic transaction. */
export type AtomicTx = Signed<AtomicUnsigned>

const evmOutputSize = 20 + 8 + 32
const evmInputSize = evmOutputSize + 8
/** The smallest signed transaction. */
const leastTx = 4 + 4 + 32 + 32 + 4 + 4 + 4

/** The bytes of one transaction without a codec version. Throws CodecError. */
export function decodeAtomicTx(bytes: Uint8Array): AtomicTx {
  const reader = new Reader(bytes)
  const signed = readSigned(reader, chain, readUnsigned)
  reader.end()
  return signed
}

/**
 * The atomic transactions of a C-chain block's blockExtraData, its codec version included. Early blocks
 * hold one transaction, later ones a list; both begin with numbers, so the one that fits to the last byte
 * and names the C-chain is right. Throws CodecError when neither is.
 */
export function decodeExtraData(bytes: Uint8Array, cChain: Uint8Array): AtomicTx[] {
  if (bytes.length === 0) return []
  try {
    return checked(readList(bytes), cChain)
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    const reader = new Reader(bytes)
    reader.version()
    return checked([decodeAtomicTx(reader.rest())], cChain)
  }
}

function readList(bytes: Uint8Array): AtomicTx[] {
  const reader = new Reader(bytes)
  reader.version()
  const transactions = reader.list(leastTx, () => readSigned(reader, chain, readUnsigned))
  reader.end()
  return transactions
}

function checked(transactions: AtomicTx[], cChain: Uint8Array): AtomicTx[] {
  for (const { unsigned } of transactions) {
    if (Buffer.compare(unsigned.blockchainId, cChain) !== 0) {
      throw new CodecError('an atomic transaction names another chain', 0)
    }
  }
  return transactions
}

function readUnsigned(reader: Reader, type: number): AtomicUnsigned {
  if (type === cTxTypeIds.ImportTx) {
    return {
      type: 'ImportTx',
      networkId: reader.u32(),
      blockchainId: reader.id(),
      sourceChain: reader.id(),
      importedInputs: readInputs(reader, chain),
      evmOutputs: reader.list(evmOutputSize, () => readEvmOutput(reader)),
    }
  }
  if (type === cTxTypeIds.ExportTx) {
    return {
      type: 'ExportTx',
      networkId: reader.u32(),
      blockchainId: reader.id(),
      destinationChain: reader.id(),
      evmInputs: reader.list(evmInputSize, () => ({ ...readEvmOutput(reader), nonce: reader.u64() })),
      exportedOutputs: reader.list(leastSizes.assetOutput, () => readTransferOutput(reader, chain)),
    }
  }
  throw new UnknownTypeError(`atomic transaction type ${type} is unknown`, reader.offset)
}

function readEvmOutput(reader: Reader): EvmOutput {
  return { address: reader.shortId(), amount: reader.u64(), assetId: reader.id() }
}
