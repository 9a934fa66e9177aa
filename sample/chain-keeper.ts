import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from './kernel/clock.ts'
import { fillGap, live } from './evm/live.ts'
import type { EvmChain, EvmChainOptions } from './evm/evm-chain.ts'
import { startEvmChain } from './evm/chain.ts'
import type { ChainPlan } from './evm/chains.ts'
import type { ChainStore, JournalEntry } from './evm/store.ts'
import { historyTimes } from './evm/story.ts'
import { forCallers } from './kernel/for-callers.ts'

/** Restarts a chain whenever it fails, without affecting other chains or the network. */
type ChainKeeper = {
  readonly plan: ChainPlan
  /** The chain, independent of its current node. Rejects when its node cannot be started at all. */
  readonly chain: Promise<EvmChain>
  /** Resolves when the history and the blocks up to now have been made. */
  readonly whole: Promise<void>
  /** Why the chain does not answer now: it failed and has not been restarted yet. */
  readonly failure: string | undefined
  /**
   * Makes the history, and live blocks once `begin` resolves; restarts the chain when it fails. Runs until `stop`.
   */
  keep(begin: Promise<void>): Promise<void>
  /** Saves the chain and stops its node. */
  stop(): Promise<void>
}

type KeeperOptions = Pick<
  EvmChainOptions,
  'plan' | 'timeline' | 'seed' | 'store' | 'keptStates' | 'settle' | 'messages' | 'onSpawn'
> & {
  /** Whether old states are kept: history and journal are then made again on every start. */
  readonly isArchive: boolean
  readonly isLive: boolean
  readonly clock: Clock
  readonly note: (message: string) => void
  readonly progress: (done: number, total: number) => void
  readonly stop: AbortSignal
}

type Prepared = {
  readonly chain: EvmChain
  readonly needsHistory: boolean
  readonly journal: readonly JournalEntry[]
}

const shortJournal = 100
/** Seconds before a failed chain is restarted, doubled with every further failure in close succession. */
const firstWait = 1
const longestWait = 60
/** A chain that has run for this long counts as recovered. Milliseconds. */
const steadyMs = 60_000
/** The number of start attempts before the first block. */
const firstStarts = 3
/** After this many successive failures the saved state is not trusted: history and journal are made again. */
const doubtful = 3

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Starts a chain of the network and keeps it running. */
export function createChainKeeper(options: KeeperOptions): ChainKeeper {
  const { plan, timeline, store, note, stop } = options
  /** The chain for callers: a restarted chain replaces the failed one when it is complete. */
  let shown: EvmChain | undefined
  let running: EvmChain | undefined
  let failure: string | undefined
  let keeping: Promise<void> = Promise.resolve()
  let settleWhole: () => void = () => undefined
  const whole = new Promise<void>((resolve) => (settleWhole = resolve))

  const stopped = new Promise<void>((resolve) =>
    stop.addEventListener('abort', () => resolve(), { once: true }),
  )

  const started = firstStart()
  const chain = forCallers(
    started.then(({ chain: first }) => {
      shown = first
      return facadeOf(() => shown ?? first)
    }),
  )

  async function firstStart(): Promise<Prepared> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await prepare(true)
      } catch (error) {
        if (tried === firstStarts || stop.aborted) throw error
        note(`the node of ${plan.name} did not start (${reasonOf(error)}); trying again`)
      }
    }
  }

  function readSaved(): ReturnType<ChainStore['readSave']> {
    try {
      return store.readSave()
    } catch (error) {
      dropSave('cannot be read', error)
      return undefined
    }
  }

  function dropSave(fault: string, error: unknown): void {
    const where = store.setSaveAside()
    const moved = where === undefined ? '' : `; it is in ${where} now`
    note(`the saved state of ${plan.name} ${fault} (${reasonOf(error)})${moved}; making it again`)
  }

  function readJournal(): JournalEntry[] {
    const { entries, badLine } = store.readJournal()
    if (badLine === undefined) return entries
    const where = store.setJournalAside(entries)
    const after = entries.at(-1)?.number ?? timeline.blocks
    note(
      `the journal of ${plan.name} cannot be read from line ${badLine} on; it is in ${String(where)} now; ` +
        `blocks after ${after} are made differently`,
    )
    return entries
  }

  async function prepare(mayLoad: boolean): Promise<Prepared> {
    const journal = readJournal()
    store.forgetStates()
    // A save has the newest state only, so an archive makes all blocks again.
    const saved = options.isArchive || !mayLoad ? undefined : readSaved()
    if (saved === undefined) return { chain: await startEvmChain(options), needsHistory: true, journal }
    try {
      return { chain: await startEvmChain({ ...options, saved }), needsHistory: false, journal }
    } catch (error) {
      dropSave('cannot be used', error)
      return { chain: await startEvmChain(options), needsHistory: true, journal }
    } finally {
      store.forgetLoad()
    }
  }

  async function bringUp({ chain: own, needsHistory, journal }: Prepared): Promise<void> {
    const { progress } = options
    if (needsHistory) {
      const times = historyTimes(plan, timeline, options.seed)
      await own.mineHistory(times, (done) => progress(done, times.length), stop)
      if (stop.aborted) return
      await own.checkpoint()
    }
    const missing = journal.filter(({ number }) => number > own.head.number)
    const first = missing[0]
    const differs =
      first !== undefined && first.number !== own.head.number + 1 ? first : await own.replay(missing)
    if (differs !== undefined) {
      note(`block ${differs.number} of ${plan.name} could not be made again; the chain continues from there`)
      store.appendRollback(own.head.number)
    }
    // A short journal takes as long to replay as to save.
    if (missing.length > shortJournal) await own.checkpoint()
    own.open()
    await fillGap(own, options.isLive ? options.clock : () => own.head.time, progress, stop)
  }

  /** One run of the chain: rejects when its node exits or refuses blocks. */
  async function run(prepared: Prepared, begin: Promise<void>): Promise<void> {
    const own = prepared.chain
    running = own
    const gone = own.gone.then((words): never => {
      throw new Error(words)
    })
    gone.catch(() => undefined)
    await Promise.race([bringUp(prepared), gone])
    if (stop.aborted) return
    if (failure !== undefined) note(`${plan.name} runs again, from block ${own.head.number}`)
    shown = own
    failure = undefined
    settleWhole()
    await Promise.race([begin, gone, stopped])
    await Promise.race([options.isLive ? live(own, options.seed, options.clock, stop) : stopped, gone])
  }

  async function keep(begin: Promise<void>): Promise<void> {
    let prepared: Prepared | undefined = await started
    for (let failures = 1; !stop.aborted; failures += 1) {
      const since = Date.now()
      try {
        await run(prepared ?? (await prepare(failures <= doubtful)), begin)
      } catch (error) {
        if (stop.aborted) return
        if (Date.now() - since > steadyMs) failures = 1
        failure = reasonOf(error)
        const wait = Math.min(longestWait, firstWait * 2 ** (failures - 1))
        note(`${plan.name} has failed (${failure}); it is started again in ${wait} s`)
        await running?.stop()
        running = undefined
        prepared = undefined
        await Promise.race([delay(wait * 1000), stopped])
      }
    }
  }

  return {
    plan,
    chain,
    whole,
    get failure() {
      return failure
    },
    keep(begin) {
      keeping = keep(begin)
      return keeping
    },
    async stop() {
      await Promise.allSettled([started, keeping])
      const last = running ?? (await started.catch(() => undefined))?.chain
      if (last === undefined) return
      try {
        // An incomplete history is made again from its seed, which is as fast as loading half of it.
        if (failure === undefined && last.head.number >= timeline.blocks) await last.save()
      } finally {
        await last.stop()
      }
    },
  }
}

/** A facade of the chain that `current` returns: its users do not notice restarts of the node. */
function facadeOf(current: () => EvmChain): EvmChain {
  const { plan, timeline, store } = current()
  return {
    plan,
    timeline,
    store,
    get anvil() {
      return current().anvil
    },
    get gone() {
      return current().gone
    },
    get head() {
      return current().head
    },
    mineHistory: (...args) => current().mineHistory(...args),
    mine: (place) => current().mine(place),
    mineUpon: (hash, block) => current().mineUpon(hash, block),
    replace: (replacement) => current().replace(replacement),
    replay: (entries) => current().replay(entries),
    open: () => current().open(),
    submit: (raw) => current().submit(raw),
    addresses: () => current().addresses(),
    tokens: () => current().tokens(),
    save: () => current().save(),
    checkpoint: () => current().checkpoint(),
    blockAt: (height) => current().blockAt(height),
    stop: () => current().stop(),
  }
}
