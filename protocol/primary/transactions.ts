import { type Reader, UnknownTypeError } from '../codec/reader.ts'
import type { Writer } from '../codec/writer.ts'
import { blob, type Codec, id, list, struct, u32, type Writable } from '../codec/schema.ts'
import { txIdOf } from '../native/hashes.ts'
import {
  type AssetInput,
  assetInput,
  type AssetOutput,
  assetOutputs,
  type Credential,
  credential,
} from './outputs.ts'
import type { ChainAlias } from './chains.ts'

/** The common first part of nearly all P- and X-Chain transactions. */
export type BaseFields = {
  readonly networkId: number
  readonly blockchainId: Uint8Array
  readonly outputs: readonly AssetOutput[]
  readonly inputs: readonly AssetInput[]
  readonly memo: Uint8Array
}

/** The base of transactions of the P- or the X-Chain. */
export function baseOf(chain: ChainAlias): Codec<BaseFields> {
  return struct({
    networkId: u32,
    blockchainId: id,
    outputs: list(assetOutputs[chain]),
    inputs: list(assetInput(chain)),
    memo: blob,
  })
}

/** A signed transaction. `bytes` are the signed bytes without a codec version, a view of the input. */
export type Signed<Unsigned> = {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  /** The codec's type id. */
  readonly typeId: number
  readonly unsigned: Unsigned
  /** The bytes that the credentials sign, apart from a preceding codec version. */
  readonly unsignedBytes: Uint8Array
  readonly credentials: readonly Credential[]
}

/** The input for encoding a signed transaction. */
type SignedInput<UnsignedInput> = {
  readonly unsigned: UnsignedInput
  readonly credentials: readonly Writable<Credential>[]
}

/** A transaction of an unknown type that takes all remaining bytes, so that its end is known. */
export type UnknownTx = { readonly type: 'UNKNOWN' }

/** The transactions of one chain: type id, body, credentials. */
export class SignedCodec<Unsigned, In> implements Codec<Signed<Unsigned>, SignedInput<In>> {
  readonly minBytes: number
  readonly #unsigned: Codec<Unsigned, In>
  readonly #credentials: Codec<readonly Credential[], readonly Writable<Credential>[]>

  constructor(chain: ChainAlias, unsigned: Codec<Unsigned, In>) {
    this.#unsigned = unsigned
    this.#credentials = list(credential(chain))
    this.minBytes = unsigned.minBytes + this.#credentials.minBytes
  }

  /** Reads an embedded transaction. Throws CodecError; for an unknown type, UnknownTypeError. */
  read(reader: Reader): Signed<Unsigned> {
    const start = reader.offset
    const unsigned = this.#unsigned.read(reader)
    const unsignedBytes = reader.since(start)
    const credentials = this.#credentials.read(reader)
    const bytes = reader.since(start)
    return { id: txIdOf(bytes), bytes, typeId: typeIdOf(bytes), unsigned, unsignedBytes, credentials }
  }

  /**
   * Reads a transaction that takes all remaining bytes. One of an unknown type becomes `UNKNOWN`, with its id
   * and its bytes. Throws CodecError if the bytes do not match a known type.
   */
  readLast(reader: Reader): Signed<Unsigned | UnknownTx> {
    const start = reader.offset
    try {
      const signed = this.read(reader)
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

  write(writer: Writer, { unsigned, credentials }: SignedInput<In>): void {
    this.#unsigned.write(writer, unsigned)
    this.#credentials.write(writer, credentials)
  }
}

function typeIdOf(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
}
