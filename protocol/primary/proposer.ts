import { blob, type Codec, decode, encode, id, type InputOf, type Of, u64, union } from '../codec/schema.ts'
import { nodeIdOf, sha256 } from '../native/hashes.ts'

/** A time in Unix seconds: a signed 64-bit integer. */
const signedTime: Codec<bigint> = {
  minBytes: 8,
  read: (reader) => reader.i64(),
  write: (writer, value) => writer.u64(BigInt.asUintN(64, value)),
}

const signedBlock = { parentId: id, time: signedTime, pChainHeight: u64, certificate: blob, block: blob }

/**
 * The wrapper that a proposer adds to a block. `OPTION` contains a commit or an abort; `EPOCH` is the format
 * since Granite.
 */
const wrapper = union('proposer wrapper', {
  SIGNED: [0, { ...signedBlock, signature: blob }],
  OPTION: [1, { parentId: id, block: blob }],
  EPOCH: [
    2,
    {
      ...signedBlock,
      epochPChainHeight: u64,
      epochNumber: u64,
      epochStart: signedTime,
      signature: blob,
    },
  ],
})
export type WrapperFields = Of<typeof wrapper>
export type WrapperInput = InputOf<typeof wrapper>

/** The bytes of a proposer wrapper, codec version included. */
export function encodeWrapper(value: WrapperInput): Uint8Array {
  return encode(wrapper, value)
}

/** The bytes before the signature. Their hash is the wrapper's id, and part of what the proposer signs. */
export function unsignedWrapper(value: WrapperInput): Uint8Array {
  if (value.type === 'OPTION') return encodeWrapper(value)
  return encodeWrapper({ ...value, signature: '' }).subarray(0, -4)
}

/** A proposer wrapper. Its ids are those of wrappers, not of the blocks in them. */
export type ProposerWrapper = {
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /** The wrapped block. */
  readonly block: Uint8Array
  /** Absent for the child of a proposal, which anyone may wrap. */
  readonly details: ProposerDetails | undefined
}

type ProposerDetails = {
  /** Unix seconds. */
  readonly time: bigint
  readonly pChainHeight: bigint
  /** Absent if the wrapper is not signed. */
  readonly nodeId: Uint8Array | undefined
  readonly epoch:
    { readonly pChainHeight: bigint; readonly number: bigint; readonly start: bigint } | undefined
}

/** The fields of a proposer wrapper of types 0, 1 and 2, with its codec version. Throws CodecError. */
export function decodeWrapper(bytes: Uint8Array): WrapperFields {
  return decode(wrapper, bytes)
}

/** Decodes a proposer wrapper with its codec version, and computes its id and proposer. Throws CodecError. */
export function decodeProposerWrapper(bytes: Uint8Array): ProposerWrapper {
  const fields = decodeWrapper(bytes)
  const { parentId, block } = fields
  if (fields.type === 'OPTION') return { id: sha256(bytes), parentId, block, details: undefined }
  const { time, pChainHeight, certificate, signature } = fields
  const id = sha256(bytes.subarray(0, bytes.length - 4 - signature.length))
  const epoch =
    fields.type === 'EPOCH'
      ? { pChainHeight: fields.epochPChainHeight, number: fields.epochNumber, start: fields.epochStart }
      : undefined
  const nodeId = certificate.length > 0 ? nodeIdOf(certificate) : undefined
  return { id, parentId, block, details: { time, pChainHeight, nodeId, epoch } }
}
