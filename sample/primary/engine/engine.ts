import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { extraData } from '../../../protocol/primary/atomic.ts'
import { type PBlockInput, encodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { type PTx, type XTx, type CTx, readP } from '../transactions.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { encodeVertex, encodeXBlock } from '../../../protocol/primary/x-blocks.ts'
import { unsignedWrapper } from '../../../protocol/primary/proposer.ts'
import { applyP, applyReward, type PContext } from './apply-p.ts'
import { applyC, applyX } from './apply-x.ts'
import { randomOf } from '../../kernel/random.ts'
import { chooseParents, frontier, nextHeight } from './dag.ts'
import { pushBlock } from './first-state.ts'
import { gasOf } from '../gas.ts'
import { type LedgerBlock, LedgerError, type LedgerTx, type Vertex } from '../ledger.ts'
import { fujiL1Fees, priceAt } from '../../../protocol/primary/l1-fees.ts'
import { activeL1, advanceTime, dueStaker, nextChange, validatorOf } from '../stakers.ts'
import { type StakerState, type State, zeroId } from '../state.ts'
import { sha256Hex } from '../../../protocol/native/hashes.ts'
import { type Made, unsignedP } from '../wallet.ts'
import type { World } from '../world.ts'
import { wasOnline } from '../uptime.ts'
import { wrapperOf } from './wrappers.ts'

/** Makes blocks and vertices from transactions, like the network's block builders. Times in Unix seconds. */
export type Engine = {
  readonly world: World
  readonly state: State
  /** Advances P's time to `time`, with all blocks that the starts and ends of stakers require. */
  advance(time: number): void
  /** When the next staker starts or ends, or an L1 validator has used up its balance; undefined if none will. */
  nextChange(): number | undefined
  /** Makes a P block with these transactions, or one block per transaction if the age requires it. */
  blockP(time: number, txs: readonly Made<PTx>[]): void
  /** Makes a vertex, or after the linearisation a block. */
  blockX(time: number, txs: readonly Made<XTx>[]): void
  /** Ends X's vertex age. */
  linearise(): void
  /** Adds the atomic transactions of the C block at this height. */
  blockC(height: number, time: number, txs: readonly Made<CTx>[]): void
  onBlock: ((block: LedgerBlock) => void) | undefined
  /** Nodes that propose nothing now, by order of a test. No journal keeps them. */
  readonly away: Set<BareHex>
}

export function createEngine(world: World, state: State): Engine {
  const { ages, ids, names, seed } = world

  const engine: Engine = {
    world,
    state,
    advance,
    nextChange: changeAfterNow,
    blockP,
    blockX,
    linearise,
    blockC,
    onBlock: undefined,
    away: new Set(),
  }
  return engine

  function contextOf(txId: BareHex): PContext {
    return { txId, ages, avax: ids.avax, ids: names, staking }
  }

  function staking(txId: BareHex): PTx {
    const found = state.txs.get(txId)
    if (found === undefined) throw new LedgerError('not found')
    return readP(found.bytes)
  }

  function note(
    tx: { readonly id: BareHex; readonly bytes: Uint8Array },
    rest: Omit<LedgerTx, 'id' | 'bytes'>,
  ): void {
    state.txs.set(tx.id, { id: tx.id, bytes: tx.bytes, ...rest })
  }

  /**
   * The proposer: a current validator drawn by weight; occasionally nobody in time, so that anyone may
   * propose.
   */
  function proposerOf(chain: 'P' | 'X', height: number): number {
    const random = randomOf(seed, 'proposer', chain, height)
    if (random.chance(0.03)) return -1
    const list = [...state.current.values()].filter(
      ({ kind, subnetId, nodeId }) => kind === 'validator' && subnetId === zeroId && !engine.away.has(nodeId),
    )
    const weights = list.map(({ weight }) => Number(weight / 1_000_000_000n))
    let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
    for (const [index, staker] of list.entries()) {
      left -= weights[index] ?? 0
      if (left <= 0) return world.nodeById.get(staker.nodeId) ?? -1
    }
    return -1
  }

  function wrap(block: LedgerBlock, wallTime: number, isOption: boolean): void {
    const { chain } = block
    const stored = {
      time: wallTime,
      parent: state.wrappers[chain].at(-1)?.id ?? block.parentId,
      node: isOption ? -1 : proposerOf(chain, block.height),
      pHeight: Math.max(0, state.blocks.P.length - 3),
    }
    const wrapper = wrapperOf(world, state, stored, block.bytes, isOption)
    const id = wrapper === undefined ? block.id : sha256Hex(unsignedWrapper(wrapper))
    state.wrappers[chain].push({ id, ...stored })
    engine.onBlock?.(block)
  }

  function pushP(
    block: PBlockInput & { readonly parentId: BareHex },
    time: number,
    txs: readonly Made<PTx>[],
    wallTime: number,
  ): void {
    const isOption = /(Commit|Abort)Block$/.test(block.type)
    const pushed = pushBlock(state, 'P', encodePBlock(block), {
      parent: block.parentId,
      time,
      txIds: txs.map(({ id }) => id),
    })
    for (const tx of txs) {
      note(tx, { chain: 'P', status: 'Committed', height: pushed.height, time })
    }
    wrap(pushed, wallTime, isOption)
  }

  /** Header of the next P block, without transactions. */
  function head(): { parentId: BareHex; height: number; transactions: readonly PTx[] } {
    const { P } = state.blocks
    return { parentId: P.at(-1)?.id ?? zeroId, height: P.length, transactions: [] }
  }

  /** Adds a proposal and its decision. `decide` applies the decision to the state. */
  function propose(time: number, made: Made<PTx>, isCommitted: boolean, decide: () => void): void {
    const isBanff = time >= ages.banff
    const before = state.time
    if (isBanff) {
      if (time > before) advanceTime(state, time, ages)
      pushP({ type: 'BanffProposalBlock', time, ...head(), proposal: made.tx }, time, [made], time)
    } else {
      pushP({ type: 'ApricotProposalBlock', time, ...head(), proposal: made.tx }, before, [made], time)
    }
    decide()
    const age = isBanff ? 'Banff' : 'Apricot'
    const type = isCommitted ? (`${age}CommitBlock` as const) : (`${age}AbortBlock` as const)
    pushP({ type, time, ...head() }, state.time, [], time)
    if (isCommitted) return
    const found = state.txs.get(made.id)
    if (found !== undefined) state.txs.set(made.id, { ...found, status: 'Aborted' })
  }

  /** Whether a staker is rewarded: its validator's uptime decides. */
  function isRewarded({ subnetId, nodeId, start }: StakerState): boolean {
    const since = validatorOf(state.current, subnetId, nodeId)?.start ?? start
    return wasOnline(world, nodeId, since, subnetId === zeroId)
  }

  function settle(time: number): void {
    for (;;) {
      const due = dueStaker(state)
      if (due === undefined) return
      const stakingTxId = due.txId
      const made = unsignedP(
        due.renewal === undefined
          ? { type: 'RewardValidatorTx', stakingTxId }
          : { type: 'RewardAutoRenewedValidatorTx', stakingTxId, time: BigInt(state.time) },
      )
      const isCommitted = isRewarded(due)
      propose(time, made, isCommitted, () => applyReward(state, due.txId, isCommitted, contextOf(made.id)))
    }
  }

  function setTime(time: number): void {
    const made = unsignedP({ type: 'AdvanceTimeTx', time: BigInt(time) })
    propose(time, made, true, () => advanceTime(state, time, ages))
  }

  /** Estimates when the first L1 validator exhausts its balance. */
  function nextEviction(): number | undefined {
    if (state.time < ages.etna || activeL1(state) === 0) return undefined
    let first: bigint | undefined
    for (const { endFee } of state.l1.values()) {
      if (endFee > 0n && (first === undefined || endFee < first)) first = endFee
    }
    if (first === undefined) return undefined
    const price = priceAt(fujiL1Fees, state.l1Excess)
    return state.time + Number((first - state.accruedFees + price - 1n) / price)
  }

  function changeAfterNow(): number | undefined {
    const next = Math.min(nextChange(state) ?? Infinity, nextEviction() ?? Infinity)
    return next === Infinity ? undefined : next
  }

  function advance(time: number): void {
    for (;;) {
      const next = changeAfterNow() ?? Infinity
      if (next > time) return
      if (next < ages.banff) {
        if (next > state.time) setTime(next)
        settle(next)
        continue
      }
      // Banff's proposals set the time themselves; other changes require a block of their own.
      const isDue = [...state.current.values()].some(
        ({ end, isPermissioned }) => !isPermissioned && end <= next,
      )
      if (isDue) {
        const at = Math.max(next, state.time)
        if (at > state.time) advanceTime(state, at, ages)
        settle(at)
      } else {
        advanceTime(state, next, ages)
        pushP({ type: 'BanffStandardBlock', time: next, ...head() }, next, [], next)
      }
    }
  }

  function blockP(time: number, txs: readonly Made<PTx>[]): void {
    advance(time)
    if (time >= ages.banff) {
      if (time > state.time) advanceTime(state, time, ages)
      for (const { tx, id, bytes } of txs) {
        applyP(state, tx, contextOf(id))
        if (time < ages.etna) continue
        const gas = gasOf(tx, bytes.length)
        const left = state.gas.capacity - gas
        state.gas = { capacity: left > 0n ? left : 0n, excess: state.gas.excess + gas }
      }
      const transactions = txs.map(({ tx }) => tx)
      pushP({ type: 'BanffStandardBlock', time, ...head(), transactions }, time, txs, time)
      return
    }
    // Chain time must not lag by more than six hours.
    if (time - state.time > 6 * 3600) setTime(time)
    for (const made of txs) {
      const { type } = made.tx.unsigned
      const apply = (): void => applyP(state, made.tx, contextOf(made.id))
      if (type === 'AddValidatorTx' || type === 'AddDelegatorTx' || type === 'AddSubnetValidatorTx') {
        propose(time, made, true, apply)
        continue
      }
      apply()
      const isAtomic = (type === 'ImportTx' || type === 'ExportTx') && time < ages.apricotPhase5
      const age = isAtomic ? 'ApricotAtomicBlock' : 'ApricotStandardBlock'
      pushP({ type: age, time, ...head(), transactions: [made.tx] }, state.time, [made], time)
    }
  }

  function linearise(): void {
    if (state.blocks.X.length > 0) return
    const open = frontier(state.vertices)
    const stop = encodeVertex({
      isStop: true,
      chainId: ids.X,
      height: nextHeight(open),
      parents: open.map(({ id }) => id).sort(),
      transactions: [],
    })
    pushVertex(stop, ages.cortina, open, [])
    const parent = sha256Hex(stop)
    const bytes = encodeXBlock({
      parentId: parent,
      height: 0,
      time: ages.cortina,
      merkleRoot: zeroId,
      transactions: [],
    })
    pushBlock(state, 'X', bytes, { parent, time: ages.cortina, txIds: [] })
  }

  function pushVertex(
    bytes: Uint8Array,
    time: number,
    parents: readonly Vertex[],
    txs: readonly Made<XTx>[],
  ): void {
    state.vertices.push({
      index: state.vertices.length,
      id: sha256Hex(bytes),
      height: nextHeight(parents),
      time,
      parents: parents.map(({ id }) => id).sort(),
      txIds: txs.map(({ id }) => id),
      bytes,
    })
  }

  function vertex(time: number, txs: readonly Made<XTx>[]): void {
    const parents = chooseParents(state.vertices, randomOf(seed, 'vertex', state.vertices.length))
    const ordered = [...txs].sort((a, b) => (a.id < b.id ? -1 : 1))
    const bytes = encodeVertex({
      isStop: false,
      chainId: ids.X,
      height: nextHeight(parents),
      parents: parents.map(({ id }) => id).sort(),
      transactions: ordered.map((tx) => tx.bytes),
    })
    pushVertex(bytes, time, parents, ordered)
    // Applied in dependency order, which may differ from the order in the bytes.
    for (const tx of txs) {
      applyX(state, tx.tx, { txId: tx.id, avax: ids.avax, ids: names })
      note(tx, { chain: 'X', status: 'Committed', height: undefined, time })
      state.xTxs.push({ id: tx.id, time })
    }
  }

  function blockX(time: number, txs: readonly Made<XTx>[]): void {
    if (time < ages.cortina) {
      vertex(time, txs)
      return
    }
    linearise()
    for (const tx of txs) applyX(state, tx.tx, { txId: tx.id, avax: ids.avax, ids: names })
    const parent = state.blocks.X.at(-1)?.id ?? zeroId
    const height = state.blocks.X.length
    const bytes = encodeXBlock({
      parentId: parent,
      height,
      time,
      merkleRoot: zeroId,
      transactions: txs.map(({ tx }) => tx),
    })
    const block = pushBlock(state, 'X', bytes, { parent, time, txIds: txs.map(({ id }) => id) })
    for (const tx of txs) note(tx, { chain: 'X', status: 'Committed', height, time })
    wrap(block, time, false)
  }

  function blockC(height: number, time: number, txs: readonly Made<CTx>[]): void {
    for (const { tx, id } of txs) applyC(state, tx, { txId: id, avax: ids.avax, ids: names })
    state.extra.set(
      height,
      encode(
        extraData,
        txs.map(({ tx }) => tx),
      ),
    )
    for (const tx of txs) note(tx, { chain: 'C', status: 'Committed', height, time })
    state.cHeight = height
  }
}
