import { decodeXGenesis } from '../../../protocol/primary/genesis.ts'
import type { ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import type { PBlock } from '../../../protocol/primary/p-blocks.ts'
import type { Vertex, XBlock } from '../../../protocol/primary/x-blocks.ts'
import { cb58, idOfText } from '../../../protocol/ids/text.ts'
import { applyPBlock, type PBlockWithFacts } from '../../indexer/primary/p-apply.ts'
import { applyPGenesis, genesisOfBytes } from '../../indexer/primary/p-genesis.ts'
import { PState } from '../../indexer/primary/p-state.ts'
import { applyXTx, type XRules } from '../../indexer/primary/x-effects.ts'
import { keyOf } from '../../indexer/primary/batch/rows.ts'
import { FatalError } from '../../kernel/errors.ts'
import type { Constants, GenesisBytes } from './manifest.ts'
import { chainKeys, PrimaryRows, type BlockText } from './rows.ts'

/** A block that was applied: its place in the chain, and the rows that it made. */
export type AppliedBlock = BlockText & {
  readonly number: number
  readonly id: string
  readonly parentId: string
  readonly ts: number
}

const pId = '0'.repeat(64)
const fromText = (text: string): Uint8Array => idOfText(text)

/** All chains count as followed: what another chain exported needs no row here. */
function followedOf({ xId, cId }: Constants): ReadonlySet<string> {
  return new Set([pId, keyOf(fromText(xId)), keyOf(fromText(cId))])
}

/**
 * The P-chain from its genesis on, in memory. Blocks pass the indexer's rules in order; each must follow the one
 * before it, spend what is there to be spent, and pay the rewards that the rules give.
 */
export class PReplay {
  readonly state: PState
  readonly #rows: PrimaryRows
  readonly #genesis: GenesisBytes

  constructor(constants: Constants, genesis: GenesisBytes) {
    const { xId, cId, avaxAsset, upgrades, l1Fees, prefix } = constants
    const active = (time: number | null): number => time ?? Infinity
    this.#genesis = genesis
    this.#rows = new PrimaryRows('P', prefix)
    this.state = new PState({
      chain: chainKeys.P,
      xChain: chainKeys.X,
      cChain: chainKeys.C,
      xId: keyOf(fromText(xId)),
      cId: keyOf(fromText(cId)),
      avaxAsset: fromText(avaxAsset),
      followed: followedOf(constants),
      upgrades: {
        cortina: active(upgrades.cortina),
        durango: active(upgrades.durango),
        etna: active(upgrades.etna),
        helicon: active(upgrades.helicon),
      },
      l1Fees: {
        target: BigInt(l1Fees.target),
        minPrice: BigInt(l1Fees.minPrice),
        conversion: BigInt(l1Fees.conversion),
      },
    })
  }

  /** Applies the next block; the first is block 0, with the genesis. Throws FatalError. */
  apply(block: PBlockWithFacts): AppliedBlock {
    const state = this.state
    const effects = {
      state,
      batch: this.#rows,
      genesisTime: this.#genesis.genesis.time,
      strays: { next: 0 },
    }
    this.#rows.begin(block.block.height)
    if (state.height < 0)
      applyPGenesis(effects, genesisOfBytes(this.#genesis.bytes, block.block), block.block)
    else applyPBlock(effects, block)
    return { ...placeOf(block.block), ts: state.time, ...this.#rows.take() }
  }
}

const placeOf = ({ height, id, parentId }: PBlock | XBlock) => ({
  number: height,
  id: cb58(id),
  parentId: cb58(parentId),
})

/** The height of vertices and of their transactions. */
export const vertexNumber = -1

export type PlacedVertex = { readonly vertex: Vertex; readonly index: number; readonly ts: number }

/** The X-chain from its genesis on, in memory: its vertices, if there were any, then its blocks. */
export class XReplay {
  readonly #rows: PrimaryRows
  readonly #rules: XRules
  readonly #genesis: BlockText
  /** Transactions of vertices: one may be in several. */
  readonly #known = new Set<string>()
  #last: { readonly height: number; readonly id: string; readonly ts: number } | undefined

  constructor(constants: Constants, { genesis }: GenesisBytes) {
    const { xId, cId, avaxAsset, prefix } = constants
    this.#rows = new PrimaryRows('X', prefix)
    this.#rules = {
      chain: chainKeys.X,
      pChain: chainKeys.P,
      cChain: chainKeys.C,
      xId: fromText(xId),
      cId: keyOf(fromText(cId)),
      avaxAsset: fromText(avaxAsset),
      followed: followedOf(constants),
    }
    const made = genesis.chains.find(({ id }) => cb58(id) === xId)
    if (made?.unsigned.type !== 'CreateChainTx')
      throw new FatalError('the genesis belongs to another network: it does not make the X-chain')
    for (const [index, { transaction }] of decodeXGenesis(made.unsigned.genesis).entries())
      this.#applyTx(transaction, { height: 0, index, ts: genesis.time })
    // Their rows belong to block 0, which comes after the vertices.
    this.#genesis = this.#rows.take()
  }

  get height(): number {
    return this.#last?.height ?? -1
  }

  applyVertex({ vertex, index, ts }: PlacedVertex): BlockText {
    this.#rows.begin(vertexNumber)
    const { id, height, parents, transactions, bytes, isStop } = vertex
    const txIds = transactions.map((tx) => tx.id)
    this.#rows.row('vertices', [vertexNumber, index, ts, id, height, parents, txIds, bytes.length, isStop])
    for (const tx of transactions) {
      const key = keyOf(tx.id)
      if (this.#known.has(key)) continue
      this.#applyTx(tx, { height: vertexNumber, index: this.#known.size, ts })
      this.#known.add(key)
    }
    return this.#rows.take()
  }

  /** Applies the next block; the first is block 0. Throws FatalError. */
  apply(block: XBlock, wrapper: ProposerWrapper | undefined): AppliedBlock {
    const last = this.#last
    const { height, time: ts, id, parentId, typeId, bytes, transactions, merkleRoot } = block
    if (height !== this.height + 1 || (last && keyOf(parentId) !== last.id) || (last && ts < last.ts))
      throw new FatalError(`X-chain block ${height} does not follow block ${this.height}`)
    this.#rows.begin(height)
    for (const [index, tx] of transactions.entries()) this.#applyTx(tx, { height, index, ts })
    const details = wrapper?.details
    this.#rows.row('blocks', [
      height,
      ts,
      id,
      parentId,
      typeId,
      bytes.length,
      transactions.length,
      merkleRoot,
      wrapper?.id,
      wrapper?.parentId,
      details?.nodeId,
      details?.pChainHeight,
      details?.time,
    ])
    this.#last = { height, id: keyOf(id), ts }
    const own = this.#rows.take()
    return { ...placeOf(block), ts, ...(last ? own : joined(this.#genesis, own)) }
  }

  #applyTx(tx: Vertex['transactions'][number], place: { height: number; index: number; ts: number }): void {
    applyXTx({ rules: this.#rules, batch: this.#rows, strays: { next: 0 } }, tx, place)
  }
}

function joined(one: BlockText, other: BlockText): BlockText {
  const tables = Object.keys(one.rows)
  return {
    rows: Object.fromEntries(tables.map((table) => [table, `${one.rows[table]}${other.rows[table]}`])),
    counts: Object.fromEntries(
      tables.map((table) => [table, (one.counts[table] ?? 0) + (other.counts[table] ?? 0)]),
    ),
  }
}
