import { CodecError, Reader } from '../codec/reader.ts'
import { decode, id, list, type Of, shortId, struct, u32, u64, union } from '../codec/schema.ts'
import { assetInput, cAssetOutput } from './outputs.ts'
import { cTxTypeIds as types } from './transaction-types.ts'
import { type Signed, SignedCodec } from './transactions.ts'

const evmFields = { address: shortId, amount: u64, assetId: id }

/** The amount that an import credits to a C-Chain account. */
const evmOutput = struct(evmFields)
export type EvmOutput = Of<typeof evmOutput>

/** The amount that an export debits from a C-Chain account. */
const evmInput = struct({ ...evmFields, nonce: u64 })

/** The unsigned atomic transactions of the C-Chain, by type. */
export const atomicUnsigned = union('atomic transaction', {
  ImportTx: [
    types.ImportTx,
    {
      networkId: u32,
      blockchainId: id,
      sourceChain: id,
      importedInputs: list(assetInput('C')),
      evmOutputs: list(evmOutput),
    },
  ],
  ExportTx: [
    types.ExportTx,
    {
      networkId: u32,
      blockchainId: id,
      destinationChain: id,
      evmInputs: list(evmInput),
      exportedOutputs: list(cAssetOutput),
    },
  ],
})
/** The unsigned atomic transaction of one type. */
export type AtomicUnsigned = Of<typeof atomicUnsigned>

/** The signed atomic transactions of the C-Chain. */
export const atomicTx = new SignedCodec('C', atomicUnsigned)
/** A signed atomic transaction. */
export type AtomicTx = Signed<AtomicUnsigned>

/** The blockExtraData of a C-Chain block since Apricot phase 5. */
export const extraData = list(atomicTx)

/** Decodes one transaction without a codec version. Throws CodecError. */
export function decodeAtomicTx(bytes: Uint8Array): AtomicTx {
  const reader = new Reader(bytes)
  const signed = atomicTx.read(reader)
  reader.end()
  return signed
}

/**
 * The atomic transactions in a C-Chain block's blockExtraData, including its codec version. Early blocks
 * contain one transaction, later ones a list. Both begin with numbers, so the form that consumes all bytes
 * and contains the C-Chain's id is used. Throws CodecError if neither matches.
 */
export function decodeExtraData(bytes: Uint8Array, cChain: Uint8Array): readonly AtomicTx[] {
  if (bytes.length === 0) return []
  try {
    return checked(decode(extraData, bytes), cChain)
  } catch (error) {
    if (!(error instanceof CodecError)) throw error
    const reader = new Reader(bytes)
    reader.version()
    return checked([decodeAtomicTx(reader.rest())], cChain)
  }
}

function checked(transactions: readonly AtomicTx[], cChain: Uint8Array): readonly AtomicTx[] {
  for (const { unsigned } of transactions) {
    if (Buffer.compare(unsigned.blockchainId, cChain) !== 0) {
      throw new CodecError('an atomic transaction names another chain', 0)
    }
  }
  return transactions
}
