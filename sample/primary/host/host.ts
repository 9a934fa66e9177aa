import { accountChangesOf } from '../account-changes.ts'
import { type PTx, readP } from '../transactions.ts'
import { setImmediate as breathe, setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { randomOf } from '../../kernel/random.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import { foundNetwork } from '../engine/first-state.ts'
import {
  type HistoryPlan,
  liveMomentsOf,
  makeHistory,
  ordinaryC,
  ordinaryP,
  ordinaryX,
} from '../history/history.ts'
import {
  type AccountChange,
  type EvmView,
  type Ledger,
  type LedgerBlock,
  LedgerError,
  type LedgerTx,
} from '../ledger.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { createReader } from '../engine/reader.ts'
import type { Entry, LedgerStore } from './store.ts'
import { type BareHex, bytesOf, hexOf } from '../../../protocol/ids/bare-hex.ts'
import { sha256Hex } from '../../../protocol/native/hashes.ts'
import { type Issued, readIssued, verifyIssued } from '../engine/verify.ts'
import { accountsIn, atomicView, conflictingOf, verifyAtomic } from '../engine/verify-c.ts'
import type { Made } from '../wallet.ts'
import type { World } from '../world.ts'
import { zeroId } from '../state.ts'

/** A C block that is about to be made: `since` is its parent's time, both in Unix seconds. */
export type CBlock = { readonly height: number; readonly since: number; readonly time: number }

/** The ledger with the methods that advance it. */
export type LedgerHost = {
  /** Determines the atomic transactions of a C block, and returns their effect on accounts. */
  settleC(block: CBlock, seen?: EvmView): readonly AccountChange[]
  /** The C-Chain accounts that queued transactions debit. */
  waitingAccounts(): readonly BareHex[]
  /**
   * Makes the blocks of P and X that are due up to `now`, in Unix seconds, each at its own time: the ordinary ones, and
   * those for the starts and ends of stakers. How often it is called does not matter.
   */
  catchUp(now: number, stop: AbortSignal): Promise<void>
  /** Makes P and X blocks by the clock until `stop`. */
  live(clock: Clock, stop: AbortSignal): Promise<void>
  /** Makes one P or X block now. Returns false if there was nothing to put into it. */
  mine(chain: 'P' | 'X', time: number): boolean
  /** Makes a P block at `time` with the transaction that `draft` builds then. Throws `LedgerError`. */
  act(time: number, draft: (engine: Engine, time: number) => Made<PTx>): void
  /** Nodes that propose nothing now, by order of a test. */
  readonly away: Set<BareHex>
  save(): void
  /** Whether an L1 validator of this id has ever been registered for the subnet. */
  wasL1Validator(subnetId: BareHex, validationId: BareHex): boolean
} & Ledger

type HostOptions = {
  readonly world: World
  readonly plan: HistoryPlan
  readonly store: LedgerStore
  readonly note: (message: string) => void
  readonly progress: (done: number, total: number) => void
  readonly stop: AbortSignal
}

const saveEvery = 600
/** The most submitted transactions in a chain's mempool. */
const maxWaiting = 4096
/** Seconds before blocks are made again when they are due, such as for submitted transactions: at least and at most. */
const blockIntervals = { P: [5, 10], X: [7, 14] } as const

/**
 * Opens the ledger: from the store, or created again from the seed if the store is empty or unreadable. Then
 * it replays the journal's blocks. Undefined if `stop` ended it before it was complete.
 */
export async function openLedger(options: HostOptions): Promise<LedgerHost | undefined> {
  const { world, plan, store, note, progress, stop } = options
  let saved: ReturnType<LedgerStore['readState']>
  try {
    saved = store.readState()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const where = store.setStateAside()
    note(
      `the saved state of the primary network cannot be read (${why}); it is in ${String(where)} now; making it again`,
    )
  }
  const engine = createEngine(world, saved ?? foundNetwork(world))
  if (saved === undefined && !(await makeHistory(engine, plan, progress, stop))) return undefined
  const host = hostOf(engine, options)
  await host.replay()
  if (saved === undefined) host.save()
  return host
}

function readEntries(store: LedgerStore, note: (message: string) => void): Entry[] {
  const { entries, badLine } = store.readJournal()
  if (badLine === undefined) return entries
  const where = store.setJournalAside(entries)
  note(
    `the journal of the primary network cannot be read from line ${badLine} on; it is in ${String(where)} now; ` +
      'its newest blocks are made differently',
  )
  return entries
}

function hostOf(
  engine: Engine,
  { world, plan, store, note }: HostOptions,
): LedgerHost & { replay(): Promise<void> } {
  const { state } = engine
  const listeners = new Set<(block: LedgerBlock) => void>()
  engine.onBlock = (block) => {
    for (const listener of listeners) listener(block)
  }
  const reader = createReader(world, state)
  const waiting: Record<ChainAlias, Issued[]> = { P: [], X: [], C: [] }
  const moments = liveMomentsOf(world, plan)
  /** The newest moments at which an ordinary block was due: without a possible transaction, the head stayed as it was. */
  const tried = { P: 0, X: 0 }
  let unsaved = 0

  function context(txId: BareHex): Parameters<typeof verifyIssued>[3] {
    const { ages, ids, names } = world
    return {
      txId,
      ages,
      avax: ids.avax,
      ids: names,
      staking: (id) => readP(state.txs.get(id)?.bytes ?? new Uint8Array()),
    }
  }

  function verify(issued: Issued, seen: EvmView | undefined): void {
    if (issued.chain === 'C') verifyAtomic(atomicView(world, state, seen), issued.made.tx)
    else verifyIssued(world, state, issued, context(issued.made.id))
  }

  function isFine(issued: Issued, seen: EvmView | undefined): boolean {
    try {
      verify(issued, seen)
      return true
    } catch (error) {
      if (error instanceof LedgerError) return false
      throw error
    }
  }

  /** The next submitted transaction that is still valid: one per block, because they may conflict. */
  function next(chain: ChainAlias, seen: EvmView | undefined): Issued | undefined {
    for (;;) {
      const issued = waiting[chain].shift()
      if (issued === undefined || isFine(issued, seen)) return issued
    }
  }

  /** Adds a transaction to the mempool. On C, of two that spend the same input, the one with the higher gas price stays. */
  function queue(issued: Issued): void {
    if (waiting[issued.chain].length >= maxWaiting) throw new LedgerError('mempool full')
    if (issued.chain === 'C') {
      const rivals = conflictingOf(
        issued.made,
        waiting.C.filter((each) => each.chain === 'C').map(({ made }) => made),
        world.ids.avax,
      )
      waiting.C = waiting.C.filter(({ made }) => !rivals.has(made.id))
    }
    waiting[issued.chain].push(issued)
  }

  function check(height: number | undefined): BareHex {
    const ends = [state.blocks.P.at(-1)?.id, state.blocks.X.at(-1)?.id].map((id) => id ?? zeroId)
    const extra = height === undefined ? undefined : state.extra.get(height)
    return sha256Hex(Buffer.concat([...ends.map(bytesOf), extra ?? new Uint8Array()]))
  }

  function put(entry: Omit<Entry, 'n' | 'check'>, issued: Issued | undefined): boolean {
    const { chain, time, height = 0, isEmpty = false } = entry
    const key = `live/${state.entries}`
    let isMade: boolean
    if (chain === 'P') {
      engine.advance(time)
      isMade = issued?.chain === 'P' || (!isEmpty && ordinaryP(engine, time, key, 'recent'))
      if (issued?.chain === 'P') engine.blockP(time, [issued.made])
    } else if (chain === 'X') {
      isMade = issued?.chain === 'X' || ordinaryX(engine, time, key, 'recent')
      if (issued?.chain === 'X') engine.blockX(time, [issued.made])
    } else {
      isMade = issued?.chain === 'C' || ordinaryC(engine, height, time)
      if (issued?.chain === 'C') engine.blockC(height, time, [issued.made])
      state.cHeight = Math.max(state.cHeight, height)
    }
    state.entries += 1
    return isMade
  }

  function make(chain: ChainAlias, time: number, height?: number, seen?: EvmView): boolean {
    // Stakers that end now change the state, so they are applied before submitted transactions are verified
    // again.
    if (chain === 'P') engine.advance(time)
    return putAndNote({ chain, time, ...(height === undefined ? {} : { height }) }, next(chain, seen))
  }

  /** Makes a block and appends it to the journal. */
  function putAndNote(block: Omit<Entry, 'n' | 'check' | 'raw'>, issued: Issued | undefined): boolean {
    const entry = {
      ...block,
      ...(issued === undefined ? {} : { raw: [hexOf(issued.made.bytes)] }),
    }
    const isMade = put(entry, issued)
    store.append({ n: state.entries, ...entry, check: check(block.height) })
    unsaved += 1
    if (unsaved >= saveEvery) save()
    return isMade
  }

  function save(): void {
    store.writeState(state)
    unsaved = 0
  }

  /** Replays a block of the journal. Returns false if the result differs or the block is invalid. */
  function isMadeAgain(entry: Entry): boolean {
    if (entry.n !== state.entries + 1) return false
    try {
      const [raw] = entry.raw ?? []
      put(entry, raw === undefined ? undefined : readIssued(entry.chain, bytesOf(raw)))
    } catch (error) {
      if (error instanceof LedgerError) return false
      throw error
    }
    return entry.check === check(entry.height)
  }

  async function replay(): Promise<void> {
    const entries = readEntries(store, note).filter(({ n }) => n > state.entries)
    for (const [index, entry] of entries.entries()) {
      if (!isMadeAgain(entry)) {
        note('a block of the primary network could not be made again; the chains go on from there')
        store.cut(entries.slice(0, index))
        save()
        return
      }
      if (index % 20 === 0) await breathe()
    }
    unsaved = entries.length
  }

  function settleC({ height, since, time }: CBlock, seen?: EvmView): readonly AccountChange[] {
    if (height > state.cHeight) {
      const isDue = waiting.C.length > 0 || moments.C(since, time).length > 0
      if (isDue) make('C', time, height, seen)
      else state.cHeight = height
    }
    return accountChangesOf(state.extra.get(height))
  }

  function waitingTx(chain: ChainAlias, id: BareHex): LedgerTx | undefined {
    const found = waiting[chain].find(({ made }) => made.id === id)
    if (found === undefined) return undefined
    const { bytes } = found.made
    return { chain, id, bytes, status: 'Processing', height: undefined, time: state.time }
  }

  function headTime(chain: 'P' | 'X'): number {
    return chain === 'P' ? state.time : (state.blocks.X.at(-1)?.time ?? world.ages.end)
  }

  /** The first ordinary block of a chain after its newest one that is due up to `now`. */
  function dueMoment(chain: 'P' | 'X', now: number): number | undefined {
    const [first] = moments[chain](Math.max(headTime(chain), tried[chain]), now)
    return first === undefined ? undefined : Math.ceil(first)
  }

  /** Makes the first block of P or X that is due up to `now`. Returns false if none is. */
  function makeDue(now: number): boolean {
    const due = { P: dueMoment('P', now) ?? Infinity, X: dueMoment('X', now) ?? Infinity }
    const change = Math.max(engine.nextChange() ?? Infinity, state.time)
    if (change <= Math.min(now, due.P, due.X)) {
      putAndNote({ chain: 'P', time: change, isEmpty: true }, undefined)
      return true
    }
    const chain = due.P <= due.X ? 'P' : 'X'
    if (due[chain] > now) return false
    tried[chain] = due[chain]
    make(chain, due[chain])
    return true
  }

  async function catchUp(now: number, stop: AbortSignal): Promise<void> {
    while (!stop.aborted && makeDue(Math.floor(now))) await breathe()
  }

  async function pace(chain: 'P' | 'X', clock: Clock, stop: AbortSignal): Promise<void> {
    const [least, max] = blockIntervals[chain]
    for (let turn = 0; ; turn += 1) {
      const wait = randomOf(world.seed, chain, 'interval', turn).between(least, max)
      try {
        await delay(wait * 1000, undefined, { signal: stop })
      } catch {
        // Only the signal ends the wait early.
        return
      }
      const now = Math.floor(clock())
      await catchUp(now, stop)
      // A test may have made blocks with later times.
      if (waiting[chain].length > 0 && headTime(chain) < now) make(chain, now)
    }
  }

  return {
    ...reader,
    get upgrades() {
      return reader.upgrades
    },
    tx: (chain, id) => reader.tx(chain, id) ?? waitingTx(chain, id),
    issue(chain, bytes, seen) {
      const issued = readIssued(chain, bytes)
      const { id } = issued.made
      if (chain !== 'C' && state.txs.has(id)) throw new LedgerError('tx already accepted')
      if (waitingTx(chain, id) !== undefined) return id
      verify(issued, seen)
      queue(issued)
      return id
    },
    onBlock(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    settleC,
    waitingAccounts: () => waiting.C.flatMap((each) => (each.chain === 'C' ? accountsIn(each.made.tx) : [])),
    catchUp,
    async live(clock, stop) {
      await Promise.all([pace('P', clock, stop), pace('X', clock, stop)])
    },
    mine: (chain, time) => make(chain, time),
    act(time, draft) {
      engine.advance(time)
      const issued: Issued = { chain: 'P', made: draft(engine, time) }
      verify(issued, undefined)
      putAndNote({ chain: 'P', time }, issued)
    },
    away: engine.away,
    save,
    wasL1Validator: (subnetId, id) => state.sets.get(subnetId)?.some(({ key }) => key === id) ?? false,
    replay,
  }
}
