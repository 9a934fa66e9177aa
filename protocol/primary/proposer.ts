import { nodeIdOf, sha256 } from '../ids/hashes.ts'
import { Reader, UnknownTypeError } from '../codec/reader.ts'

/** Around a block: who proposed it. Ids are those of wrappers, not of the blocks inside. */
export type ProposerWrapper = {
  readonly id: Uint8Array
  readonly parentId: Uint8Array
  /** The block inside. */
  readonly block: Uint8Array
  /** Absent around the child of a proposal, which anyone may add. */
  readonly details: ProposerDetails | undefined
}

export type ProposerDetails = {
  /** Unix seconds. */
  readonly time: bigint
  readonly pChainHeight: bigint
  /** Absent where the wrapper is not signed. */
  readonly nodeId: Uint8Array | undefined
  readonly epoch:
    { readonly pChainHeight: bigint; readonly number: bigint; readonly start: bigint } | undefined
}

const optionType = 1
const epochType = 2

/** Decodes a proposer wrapper of types 0, 1 and 2, its codec version included. Throws CodecError. */
export function decodeProposerWrapper(bytes: Uint8Array): ProposerWrapper {
  const reader = new Reader(bytes)
  reader.version()
  const at = reader.offset
  const type = reader.u32()
  if (type > epochType) throw new UnknownTypeError(`proposer wrapper type ${type} is unknown`, at)
  const parentId = reader.id()
  if (type === optionType) {
    const block = reader.blob()
    reader.end()
    return { id: sha256(bytes), parentId, block, details: undefined }
  }
  const time = reader.i64()
  const pChainHeight = reader.u64()
  const certificate = reader.blob()
  const block = reader.blob()
  const epoch =
    type === epochType ? { pChainHeight: reader.u64(), number: reader.u64(), start: reader.i64() } : undefined
  const id = sha256(reader.since(0))
  reader.blob()
  reader.end()
  const nodeId = certificate.length > 0 ? nodeIdOf(certificate) : undefined
  return { id, parentId, block, details: { time, pChainHeight, nodeId, epoch } }
}
