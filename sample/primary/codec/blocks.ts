import { CodecError } from '../../../protocol/codec/reader.ts'
import { Writer } from '../../../protocol/codec/writer.ts'
import { pBlockTypeIds, xBlockTypeIds } from '../../../protocol/primary/transaction-types.ts'
import type { CTx, PTx, XTx } from './types.ts'
import { cTx, createAsset, id32, pTx, pUtxo, xTx } from './types.ts'
import type { Codec, Of } from './wire.ts'
import { blob, decode, encode, list, struct, tagged, text, u64, whole } from './wire.ts'

const head = { parent: id32, height: whole }
const timed = { time: whole, ...head }

/** Blocks of P. Apricot's hold no time; a Banff proposal may carry transactions before its decision. */
export const pBlock = tagged('block', {
  ApricotProposal: [pBlockTypeIds.ApricotProposalBlock, struct({ ...head, tx: pTx })],
  ApricotAbort: [pBlockTypeIds.ApricotAbortBlock, struct(head)],
  ApricotCommit: [pBlockTypeIds.ApricotCommitBlock, struct(head)],
  ApricotStandard: [pBlockTypeIds.ApricotStandardBlock, struct({ ...head, txs: list(pTx) })],
  ApricotAtomic: [pBlockTypeIds.ApricotAtomicBlock, struct({ ...head, tx: pTx })],
  BanffProposal: [
    pBlockTypeIds.BanffProposalBlock,
    struct({ time: whole, txs: list(pTx), ...head, tx: pTx }),
  ],
  BanffAbort: [pBlockTypeIds.BanffAbortBlock, struct(timed)],
  BanffCommit: [pBlockTypeIds.BanffCommitBlock, struct(timed)],
  BanffStandard: [pBlockTypeIds.BanffStandardBlock, struct({ ...timed, txs: list(pTx) })],
})
export type PBlock = Of<typeof pBlock>

/** The transactions of a P block in the order in which they take effect. */
export function txsOf(block: PBlock): readonly PTx[] {
  switch (block.type) {
    case 'ApricotProposal':
    case 'ApricotAtomic':
      return [block.tx]
    case 'ApricotStandard':
    case 'BanffStandard':
      return block.txs
    case 'BanffProposal':
      return [...block.txs, block.tx]
    default:
      return []
  }
}

/** A block of X after its linearisation. */
export const xBlock = tagged('block', {
  standard: [xBlockTypeIds.StandardBlock, struct({ ...head, time: whole, root: id32, txs: list(xTx) })],
})
export type XBlock = Of<typeof xBlock>

const wrapperShape = {
  parent: id32,
  time: whole,
  pHeight: whole,
  certificate: blob,
  block: blob,
}
/** What a proposer wraps a block in; `first` is the older form, `epochal` that of Granite. */
export const wrapper = tagged('wrapper', {
  first: [0, struct({ ...wrapperShape, signature: blob })],
  option: [1, struct({ parent: id32, block: blob })],
  epochal: [
    2,
    struct({ ...wrapperShape, epochHeight: whole, epoch: whole, epochStart: whole, signature: blob }),
  ],
})
export type Wrapper = Of<typeof wrapper>

/** What a wrapper's id is the hash of, and its signature is over: all before the signature. */
export function unsignedWrapper(value: Wrapper): Uint8Array {
  const all = encode(wrapper, value)
  return value.type === 'option' ? all : all.subarray(0, all.length - 4 - value.signature.length)
}

/** A vertex, or the one that ends them all (`stop`, codec version 1). Transactions are signed bytes. */
export type VertexBody = {
  readonly stop: boolean
  readonly chainId: string
  readonly height: number
  readonly parents: readonly string[]
  readonly txs: readonly Uint8Array[]
}

/** A vertex's bytes. Parents must rise, transactions rise by the hash of their bytes. */
export function encodeVertex(vertex: VertexBody): Uint8Array {
  const to = new Writer()
  to.u16(vertex.stop ? 1 : 0)
  id32.write(to, vertex.chainId)
  whole.write(to, vertex.height)
  if (!vertex.stop) to.u32(0)
  list(id32).write(to, vertex.parents)
  if (!vertex.stop) list(blob).write(to, vertex.txs)
  return to.done()
}

/** P's genesis: UTXOs with a message each, validators, chains. `time` in Unix seconds, `supply` in nAVAX. */
export const pGenesis = struct({
  utxos: list(struct({ utxo: pUtxo, message: blob })),
  validators: list(pTx),
  chains: list(pTx),
  time: whole,
  supply: u64,
  message: text,
})
export type PGenesis = Of<typeof pGenesis>

/** X's genesis: assets by alias. */
export const xGenesis = list(struct({ alias: text, asset: createAsset }))

const atomicList = list(cTx)

/** blockExtraData of a C block. */
export function encodeExtraData(txs: readonly CTx[]): Uint8Array {
  return encode(atomicList, txs)
}

/** The atomic transactions of blockExtraData. Throws CodecError. */
export function decodeExtraData(bytes: Uint8Array): readonly CTx[] {
  return decode(atomicList, bytes)
}

export type AnyTx = PTx | XTx | CTx

/** A value's bytes must be those that it was read from: a check for what comes from outside. */
export function decodeExactly<T>(codec: Codec<T>, bytes: Uint8Array): T {
  const value = decode(codec, bytes)
  if (!Buffer.from(encode(codec, value)).equals(bytes))
    throw new CodecError('bytes that are no one’s writing', 0)
  return value
}
