import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import type { ProposerWrapper } from '../../../protocol/primary/proposer.ts'
import type { PBlock } from '../../../protocol/primary/p-blocks.ts'
import type { XBlock } from '../../../protocol/primary/x-blocks.ts'
import { cb58, idOfText } from '../../../protocol/ids/text.ts'
import { applyPBlock, type PBlockWithFacts } from '../../indexer/primary/p-apply.ts'
import { applyPGenesis, genesisOfBytes } from '../../indexer/primary/p-genesis.ts'
import { type PRules, PState } from '../../indexer/primary/p-state.ts'
import {
  applyVertex,
  applyXBlock,
  applyXGenesis,
  type KnownTransactions,
  type PlacedVertex,
  vertexHeight,
} from '../../indexer/primary/x-apply.ts'
import type { XEffects, XRules } from '../../indexer/primary/x-effects.ts'
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

/** The chains as a store or a lake numbers them. */
type Keys = Readonly<Record<ChainAlias, number>>

/** Which chains are indexed besides: what an indexed one exported needs no row of the chain that imports it. */
function followedOf({ xId, cId }: Constants, isCFollowed: boolean): ReadonlySet<string> {
  return new Set([pId, keyOf(idOfText(xId)), ...(isCFollowed ? [keyOf(idOfText(cId))] : [])])
}

/** The rules of the P-Chain. */
export function pRulesOf(constants: Constants, keys: Keys, isCFollowed: boolean): PRules {
  const { xId, cId, avaxAsset, upgrades, l1Fees } = constants
  const active = (time: number | null): number => time ?? Infinity
  return {
    chain: keys.P,
    xChain: keys.X,
    cChain: keys.C,
    xId: keyOf(idOfText(xId)),
    cId: keyOf(idOfText(cId)),
    avaxAsset: idOfText(avaxAsset),
    followed: followedOf(constants, isCFollowed),
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
  }
}

/** The rules of the X-Chain. */
export function xRulesOf(constants: Constants, keys: Keys, isCFollowed: boolean): XRules {
  const { xId, cId, avaxAsset } = constants
  return {
    chain: keys.X,
    pChain: keys.P,
    cChain: keys.C,
    xId: idOfText(xId),
    cId: keyOf(idOfText(cId)),
    avaxAsset: idOfText(avaxAsset),
    followed: followedOf(constants, isCFollowed),
  }
}

/** The genesis of the X-Chain in that of the network. Throws FatalError if that makes no such chain. */
export function xGenesisOf({ xId }: Constants, { genesis }: GenesisBytes): Uint8Array {
  const made = genesis.chains.find(({ id }) => cb58(id) === xId)
  if (made?.unsigned.type === 'CreateChainTx') return made.unsigned.genesis
  throw new FatalError('the genesis belongs to another network: it does not make the X-Chain')
}

/**
 * The P-Chain from its genesis on, in memory. Blocks pass the indexer's rules in order; each must follow the one
 * before it, spend what is there to be spent, and pay the rewards that the rules give.
 */
export class PReplay {
  readonly state: PState
  readonly #rows: PrimaryRows
  readonly #genesis: GenesisBytes

  constructor(constants: Constants, genesis: GenesisBytes) {
    this.#genesis = genesis
    this.#rows = new PrimaryRows('P', constants.prefix)
    this.state = new PState(pRulesOf(constants, chainKeys, true))
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

/** The X-Chain from its genesis on, in memory: its vertices, if there were any, then its blocks. */
export class XReplay {
  readonly #rows: PrimaryRows
  readonly #effects: XEffects
  readonly #genesis: BlockText
  /** Transactions of vertices: one may be in several. */
  readonly #known: KnownTransactions = { ids: new Set(), next: 0 }
  #last: { readonly height: number; readonly id: string; readonly ts: number } | undefined

  constructor(constants: Constants, genesis: GenesisBytes) {
    this.#rows = new PrimaryRows('X', constants.prefix)
    const rules = xRulesOf(constants, chainKeys, true)
    this.#effects = { rules, batch: this.#rows, strays: { next: 0 } }
    applyXGenesis(this.#effects, xGenesisOf(constants, genesis), genesis.genesis.time)
    // Their rows belong to block 0, which comes after the vertices.
    this.#genesis = this.#rows.take()
  }

  get height(): number {
    return this.#last?.height ?? -1
  }

  applyVertex(vertex: PlacedVertex): BlockText {
    this.#rows.begin(vertexHeight)
    applyVertex(this.#effects, vertex, this.#known)
    return this.#rows.take()
  }

  /** Applies the next block; the first is block 0. Throws FatalError. */
  apply(block: XBlock, wrapper: ProposerWrapper | undefined): AppliedBlock {
    const last = this.#last
    const { height, time: ts, id, parentId } = block
    if (height !== this.height + 1 || (last && keyOf(parentId) !== last.id) || (last && ts < last.ts))
      throw new FatalError(`X-Chain block ${height} does not follow block ${this.height}`)
    this.#rows.begin(height, block.merkleRoot)
    applyXBlock(this.#effects, block, wrapper)
    this.#last = { height, id: keyOf(id), ts }
    const own = this.#rows.take()
    return { ...placeOf(block), ts, ...(last ? own : joined(this.#genesis, own)) }
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
