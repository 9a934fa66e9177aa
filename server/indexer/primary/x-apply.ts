import { decodeXGenesis } from '../../../protocol/primary/genesis.ts'
import type { ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import type { Vertex, XBlock } from '../../../protocol/primary/x-blocks.ts'
import { keyOf } from './batch/rows.ts'
import { applyXTx, type XEffects } from './x-effects.ts'

/** The height of transactions in vertices. */
export const vertexHeight = -1

/** A vertex with its place in the order of acceptance, and when the node accepted it. */
export type PlacedVertex = { readonly vertex: Vertex; readonly index: number; readonly ts: number }

/** Transactions that a vertex contained already, and the next free index of one. */
export type KnownTransactions = { readonly ids: Set<string>; next: number }

/** Adds the rows of the genesis assets. `bytes` is the genesis in the chain's CreateChainTx. */
export function applyXGenesis(effects: XEffects, bytes: Uint8Array, ts: number): void {
  for (const [index, { transaction }] of decodeXGenesis(bytes).entries())
    applyXTx(effects, transaction, { height: 0, index, ts })
}

/** Adds the rows of a vertex, and those of its transactions that no vertex contained yet. */
export function applyVertex(
  effects: XEffects,
  { vertex, index, ts }: PlacedVertex,
  known: KnownTransactions,
): void {
  const { rules, batch } = effects
  const { id, height, parents, transactions, bytes, isStop } = vertex
  const txIds = transactions.map((tx) => tx.id)
  batch.add('vertices', [rules.chain, index, ts, id, height, parents, txIds, bytes.length, isStop])
  for (const tx of transactions) {
    if (known.ids.has(keyOf(tx.id))) continue
    known.ids.add(keyOf(tx.id))
    applyXTx(effects, tx, { height: vertexHeight, index: known.next, ts })
    known.next += 1
  }
}

/** Adds the rows of a block and of its transactions. */
export function applyXBlock(effects: XEffects, block: XBlock, wrapper: ProposerWrapper | undefined): void {
  const { rules, batch } = effects
  const { height, time: ts, id, parentId, typeId, bytes, transactions } = block
  for (const [index, tx] of transactions.entries()) applyXTx(effects, tx, { height, index, ts })
  const details = wrapper?.details
  batch.add('primary_blocks', [
    rules.chain,
    height,
    ts,
    id,
    parentId,
    typeId,
    bytes.length,
    transactions.length,
    null,
    null,
    null,
    null,
    wrapper?.id,
    wrapper?.parentId,
    details?.nodeId,
    details?.pChainHeight,
    details?.time,
  ])
}
