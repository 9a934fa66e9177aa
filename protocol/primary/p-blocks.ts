import { sha256 } from '../native/hashes.ts'
import { type PTx, pTx } from './p-transactions.ts'
import { Reader, UnknownTypeError } from '../codec/reader.ts'
import { id, type InputOf, list, position } from '../codec/schema.ts'
import { Writer } from '../codec/writer.ts'
import { pBlockTypeIds as typeIds } from './transaction-types.ts'

/** The purpose of a block: propose, decide its parent's proposal, or execute transactions. */
type PBlockKind = 'proposal' | 'abort' | 'commit' | 'standard' | 'atomic'

type PBlockType = keyof typeof typeIds
const kinds: Record<PBlockType, PBlockKind> = {
  ApricotProposalBlock: 'proposal',
  ApricotAbortBlock: 'abort',
  ApricotCommitBlock: 'commit',
  ApricotStandardBlock: 'standard',
  ApricotAtomicBlock: 'atomic',
  BanffProposalBlock: 'proposal',
  BanffAbortBlock: 'abort',
  BanffCommitBlock: 'commit',
  BanffStandardBlock: 'standard',
}
const blockTypes = new Map(
  (Object.keys(kinds) as PBlockType[]).map((type) => [typeIds[type] as number, { type, kind: kinds[type] }]),
)

/** A P-Chain block. `time` is absent before Banff, when AdvanceTimeTx changed the chain's time. */
export type PBlock = {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  readonly typeId: number
  readonly type: PBlockType
  readonly kind: PBlockKind
  readonly parentId: Uint8Array
  readonly height: number
  readonly time: number | undefined
  /** The transactions that the block executes, in order. */
  readonly transactions: readonly PTx[]
  /** The proposed transaction, which the child block, a commit or an abort, decides. */
  readonly proposal: PTx | undefined
}

/** Whether a block (with its codec version) decides its parent's proposal; only its type is read. */
export function decides(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes)
  reader.version()
  const kind = blockTypes.get(reader.u32())?.kind
  return kind !== undefined && isDecision(kind)
}

/** Whether a block of this kind decides its parent's proposal. */
export const isDecision = (kind: PBlockKind): boolean => kind === 'commit' || kind === 'abort'

const transactionList = list(pTx)

/**
 * Decodes a P-Chain block with its codec version. A transaction of an unknown type at the end of the block is
 * `UNKNOWN`. Elsewhere its end is unknown, so it throws an UnknownTypeError.
 */
export function decodePBlock(bytes: Uint8Array): PBlock {
  const reader = new Reader(bytes)
  reader.version()
  const at = reader.offset
  const typeId = reader.u32()
  const known = blockTypes.get(typeId)
  if (!known) throw new UnknownTypeError(`P-Chain block type ${typeId} is unknown`, at)
  const { type, kind } = known
  const time = isBanff(type) ? reader.position() : undefined
  let transactions: readonly PTx[] = type === 'BanffProposalBlock' ? transactionList.read(reader) : []
  const parentId = reader.id()
  const height = reader.position()
  let proposal: PTx | undefined
  if (kind === 'standard') transactions = transactionList.read(reader)
  else if (kind === 'proposal') proposal = pTx.readLast(reader)
  else if (kind === 'atomic') transactions = [pTx.readLast(reader)]
  reader.end()
  return { id: sha256(bytes), bytes, typeId, type, kind, parentId, height, time, transactions, proposal }
}

const isBanff = (type: PBlockType): boolean => typeIds[type] >= typeIds.BanffProposalBlock

/** The input for encoding a P-Chain block. Blocks before Banff contain no time. */
export type PBlockInput = {
  readonly type: PBlockType
  readonly parentId: Uint8Array | string
  readonly height: number
  readonly time: number
  readonly transactions: readonly InputOf<typeof pTx>[]
  readonly proposal?: InputOf<typeof pTx> | undefined
}

/** The bytes of a block of the P-Chain, codec version included. */
export function encodePBlock(block: PBlockInput): Uint8Array {
  const { type, transactions, proposal } = block
  const writer = new Writer()
  writer.u16(0)
  writer.u32(typeIds[type])
  if (isBanff(type)) position.write(writer, block.time)
  if (type === 'BanffProposalBlock') transactionList.write(writer, transactions)
  id.write(writer, block.parentId)
  position.write(writer, block.height)
  if (kinds[type] === 'standard') transactionList.write(writer, transactions)
  for (const tx of kinds[type] === 'atomic' ? transactions : []) pTx.write(writer, tx)
  if (proposal !== undefined) pTx.write(writer, proposal)
  return writer.done()
}
