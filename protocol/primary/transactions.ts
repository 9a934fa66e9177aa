import { txIdOf } from '../ids/hashes.ts'
import {
  type AssetInput,
  type AssetOutput,
  type CodecChain,
  type Credential,
  leastSizes,
  type Output,
  readAssetInput,
  readAssetOutput,
  readCredential,
} from './outputs.ts'
import { type Reader, UnknownTypeError } from '../codec/reader.ts'

/** The part that nearly every transaction of the P- and the X-chain begins with. */
export type BaseFields = {
  readonly networkId: number
  readonly blockchainId: Uint8Array
  readonly outputs: readonly AssetOutput[]
  readonly inputs: readonly AssetInput[]
  readonly memo: Uint8Array
}

/** A signed transaction. `bytes` are the signed bytes without a codec version, a view of what was decoded. */
export type Signed<Unsigned> = {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  /** The codec's type id. */
  readonly typeId: number
  readonly unsigned: Unsigned
  /** The bytes that the credentials sign, behind a codec version. */
  readonly unsignedBytes: Uint8Array
  readonly credentials: readonly Credential[]
}

/** A transaction of a type that we do not know, where something else bounds its bytes. */
export type UnknownTx = { readonly type: 'UNKNOWN' }

/** The inputs and outputs, where a transaction has them. */
export function readBase(reader: Reader, chain: CodecChain): BaseFields {
  return {
    networkId: reader.u32(),
    blockchainId: reader.id(),
    outputs: readOutputs(reader, chain),
    inputs: readInputs(reader, chain),
    memo: reader.blob(),
  }
}

export function readOutputs(reader: Reader, chain: CodecChain): AssetOutput<Output>[] {
  return reader.list(leastSizes.assetOutput, () => readAssetOutput(reader, chain))
}

export function readInputs(reader: Reader, chain: CodecChain): AssetInput[] {
  return reader.list(leastSizes.assetInput, () => readAssetInput(reader, chain))
}

/** The unsigned part of a transaction behind its type id. Throws UnknownTypeError. */
export type ReadUnsigned<Unsigned> = (reader: Reader, type: number) => Unsigned

/** A signed transaction inside other bytes: type id, body, credentials; its id is worked out. */
export function readSigned<Unsigned>(
  reader: Reader,
  chain: CodecChain,
  readUnsigned: ReadUnsigned<Unsigned>,
): Signed<Unsigned> {
  const start = reader.offset
  const typeId = reader.u32()
  const unsigned = readUnsigned(reader, typeId)
  const unsignedBytes = reader.since(start)
  const credentials = reader.list(leastSizes.credential, () => readCredential(reader, chain))
  const bytes = reader.since(start)
  return { id: txIdOf(bytes), bytes, typeId, unsigned, unsignedBytes, credentials }
}

/**
 * A signed transaction that takes all bytes that are left. One of an unknown type is `UNKNOWN`: its id and
 * its bytes are known all the same. Throws CodecError where a known type does not fit its bytes.
 */
export function readBounded<Unsigned>(
  reader: Reader,
  chain: CodecChain,
  readUnsigned: ReadUnsigned<Unsigned>,
): Signed<Unsigned | UnknownTx> {
  const start = reader.offset
  try {
    const signed = readSigned(reader, chain, readUnsigned)
    reader.end()
    return signed
  } catch (error) {
    if (!(error instanceof UnknownTypeError)) throw error
    reader.rewind(start)
    const typeId = reader.u32()
    reader.rest()
    const bytes = reader.since(start)
    const unsigned = { type: 'UNKNOWN' } as const
    return { id: txIdOf(bytes), bytes, typeId, unsigned, unsignedBytes: bytes, credentials: [] }
  }
}
