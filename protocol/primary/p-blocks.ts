import { sha256 } from '../ids/hashes.ts'
import { readLastPTx, readPTx } from './p-transactions.ts'
import type { PTx } from './p-types.ts'
import { Reader, UnknownTypeError } from '../codec/reader.ts'
import { pBlockTypeIds as typeIds } from './transaction-types.ts'

/** What a block does: propose, decide about its parent's proposal, or carry out transactions. */
export type PBlockKind = 'proposal' | 'abort' | 'commit' | 'standard' | 'atomic'

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

/** A P-chain block. `time` is absent before Banff: there the chain's time moves by AdvanceTimeTx. */
export type PBlock = {
  readonly id: Uint8Array
  readonly bytes: Uint8Array
  readonly typeId: number
  readonly type: PBlockType
  readonly kind: PBlockKind
  readonly parentId: Uint8Array
  readonly height: number
  readonly time: number | undefined
  /** What the block carries out itself, in order. */
  readonly transactions: readonly PTx[]
  /** What the block proposes: its child, a commit or an abort, decides. */
  readonly proposal: PTx | undefined
}

/** Whether a block, its codec version included, decides about its parent's proposal; nothing else of it is read. */
export function decides(bytes: Uint8Array): boolean {
  const reader = new Reader(bytes)
  reader.version()
  const kind = blockTypes.get(reader.u32())?.kind
  return kind !== undefined && isDecision(kind)
}

/** Whether a block of this kind decides about its parent's proposal. */
export const isDecision = (kind: PBlockKind): boolean => kind === 'commit' || kind === 'abort'

/** The smallest signed transaction: a reward without anything else. */
const leastTx = 4 + 8 + 4

/**
 * Decodes a block of the P-chain, its codec version included. A transaction of an unknown type is `UNKNOWN`
 * where it is the last thing of the block; elsewhere nothing bounds it, which is an UnknownTypeError.
 */
export function decodePBlock(bytes: Uint8Array): PBlock {
  const reader = new Reader(bytes)
  reader.version()
  const at = reader.offset
  const typeId = reader.u32()
  const known = blockTypes.get(typeId)
  if (!known) throw new UnknownTypeError(`P-chain block type ${typeId} is unknown`, at)
  const { type, kind } = known
  const isBanff = typeId >= typeIds.BanffProposalBlock
  const time = isBanff ? reader.position() : undefined
  const ahead = type === 'BanffProposalBlock' ? reader.list(leastTx, () => readPTx(reader)) : []
  const parentId = reader.id()
  const height = reader.position()
  let transactions = ahead
  let proposal: PTx | undefined
  if (kind === 'standard') transactions = reader.list(leastTx, () => readPTx(reader))
  else if (kind === 'proposal') proposal = readLastPTx(reader)
  else if (kind === 'atomic') transactions = [readLastPTx(reader)]
  reader.end()
  return { id: sha256(bytes), bytes, typeId, type, kind, parentId, height, time, transactions, proposal }
}
