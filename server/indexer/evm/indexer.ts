import type { ChainConfig } from '../../kernel/settings/config.ts'
import { classify, FatalError, LockedError, RetryableError } from '../../kernel/errors.ts'
import { pause, defaultPace, type Pace, delayAfter } from '../../kernel/pause.ts'
import { ProgressMeter } from '../../kernel/progress-meter.ts'
import type { StoreSession } from '../../store/session.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { Writer, type NodeView } from './apply.ts'
import type { DecodedBlock } from './decode.ts'
import { BlockFetcher, type Head } from './fetch.ts'
import { HeadWatcher } from './head.ts'
import { askIdentity } from './ask-identity.ts'
import { registerChain, forgetChain, forgetOtherGenesis } from './identity.ts'
import { isLinked, linkedPrefix } from './links.ts'
import { Prefetcher, type TakeLimits } from './prefetcher.ts'
import { findAncestor, OtherHistoryError, storedHashes, type AncestorSearch } from './reorg.ts'
import { RpcClient } from '../../node/rpc.ts'
import { StatusReporter } from './status.ts'
import { waitStopped } from '../../kernel/stopped.ts'

/** The logger interface that the indexer needs; pino's loggers satisfy it. */
export type IndexerLogger = {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

type EvmIndexerOptions = {
  /** The chain's own connection to the store, which holds the chain's lock. */
  session: StoreSession
  config: ChainConfig
  logger: IndexerLogger
  stats: IndexerStats
  pace?: Pace
}

/** A chain's indexer; see `createEvmIndexer`. */
type EvmIndexer = { run(signal: AbortSignal): Promise<void> }

/**
 * Limits of one transaction while catching up: blocks, bytes of rows, and milliseconds to wait for more
 * blocks. A transaction costs as much as a few blocks, so with a slow node it is worth waiting.
 */
const run: TakeLimits = { blocks: 256, bytes: 12 * 1024 * 1024, wait: 250 }
/** Near the head, each block is applied without waiting. */
const single: TakeLimits = { ...run, blocks: 1, wait: 0 }
/** Blocks of a new branch that are applied in one transaction; the rest follow as normal blocks. */
const branchBlocks = 256
/** Seconds between looks at the head while catching up, so that the reported distance stays correct. */
const headEvery = 10
/** A head older than this many seconds means that the node is syncing or generating its history. */
const historyAge = 3_600
/** Within this distance of the head, each block is its own transaction, so that readers see it at once. */
const liveDistance = 4
/**
 * Follows one EVM chain: catches up from the start block, then applies each new head, and follows reorgs up
 * to the chain's limit. `run` ends when the signal aborts; it throws only LockedError, if another process has
 * taken over the chain. A chain that cannot continue is marked `stopped` with the reason; it continues after a rewind, and
 * is examined again at intervals.
 */
export function createEvmIndexer(options: EvmIndexerOptions): EvmIndexer {
  return new Follower(options)
}

class Follower implements EvmIndexer {
  readonly #options: EvmIndexerOptions
  readonly #chain: number
  readonly #rpc: RpcClient
  readonly #writer: Writer
  readonly #status: StatusReporter
  readonly #pace: Pace
  #fetcher: BlockFetcher | undefined
  #startBlock: number
  #view: NodeView | undefined
  #advancedAt = -Infinity
  #ended: AbortSignal | undefined
  /** Stops since the chain last went on. */
  #stops = 0
  #stoppedFor = ''

  constructor(options: EvmIndexerOptions) {
    const { config, session, stats } = options
    this.#options = options
    this.#chain = config.evmChainId
    this.#pace = options.pace ?? defaultPace
    this.#startBlock = config.startBlock
    this.#rpc = new RpcClient({
      url: config.rpcUrl,
      timeout: config.requestSeconds * 1000,
      concurrency: config.concurrency,
      stats,
      pace: this.#pace,
    })
    this.#status = new StatusReporter(session, this.#chain)
    this.#writer = new Writer({
      session,
      chain: this.#chain,
      reorgLimit: config.reorgLimit,
      stats,
      earlierBlock: (number) => this.#earlierBlock(number),
    })
  }

  async run(signal: AbortSignal): Promise<void> {
    const { config } = this.#options
    this.#ended = signal
    const watcher = new HeadWatcher({ wsUrl: config.wsUrl, pollEvery: config.pollSeconds * 1000, signal })
    let failures = 0
    let announced = true
    try {
      while (!signal.aborted) {
        try {
          const fetcher = this.#fetcher ?? (await this.#connect(signal))
          const before = this.#writer.tip?.number
          const head = await this.#step(fetcher, signal)
          failures = 0
          this.#stops = 0
          this.#stoppedFor = ''
          if (!announced && before !== undefined && head.number > before) watcher.foundByPoll()
          if (head.number > (before ?? -1)) await this.#gather(head, signal)
          announced = await watcher.next()
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof LockedError) throw error
          failures += 1
          if (failures > 1) watcher.foundNothing()
          await this.#recover(classify(error), failures, signal)
        }
      }
    } finally {
      this.#rpc.close()
    }
  }

  /**
   * Waits until a run of old blocks has accumulated: a node that is syncing reports a new head many times a
   * second, and one transaction for each would take most of the time of node and store.
   */
  async #gather(head: Head, signal: AbortSignal): Promise<void> {
    const rest = this.#pace.gather - (performance.now() - this.#advancedAt)
    if (rest > 0 && now() - head.ts > historyAge) await pause(rest, signal)
    this.#advancedAt = performance.now()
  }

  /** Identifies the node's chain and loads the cursor from the store. */
  async #connect(signal: AbortSignal): Promise<BlockFetcher> {
    const { config, session, logger, stats } = this.#options
    await session.open()
    const { clientVersion, startBlock, traceSource } = await this.#identify(signal)
    this.#startBlock = startBlock
    await this.#writer.load()
    this.#fetcher = new BlockFetcher({
      rpc: this.#rpc,
      chain: this.#chain,
      stats,
      clientVersion,
      traces: config.traces,
      traceSource,
      traceAgain: this.#pace.traces,
      finalityAgain: this.#pace.finality,
      onTraces: ({ number, missing }) => {
        const fields = { chain: this.#chain, number }
        if (missing === undefined) logger.info(fields, 'the node traces blocks again')
        else logger.warn({ ...fields, reason: missing }, 'the node cannot trace: inner calls are left out')
      },
    })
    return this.#fetcher
  }

  /**
   * Checks the node's identity against the chain's row and creates the row if there is none. With
   * `startOver`, a chain with another genesis block is deleted first.
   */
  async #identify(signal: AbortSignal) {
    const { config, session, logger } = this.#options
    const identity = await askIdentity(this.#rpc, this.#chain, signal)
    const { genesisHash, clientVersion } = identity
    const isNew =
      config.onNewGenesis === 'startOver' &&
      (await session.transaction((sql) => forgetOtherGenesis(sql, this.#chain, genesisHash)))
    if (isNew) {
      logger.warn(
        { chain: this.#chain, genesisHash },
        'the network was recreated: its chain is indexed from the start',
      )
    }
    const chain = { id: this.#chain, startBlock: config.startBlock }
    const row = await session.use((sql) => registerChain(sql, chain, identity, this.#rpc.host))
    return { ...row, clientVersion, isNew }
  }

  async #earlierBlock(number: number): Promise<DecodedBlock> {
    if (!this.#fetcher || !this.#ended) throw new Error('no node is connected')
    return this.#fetcher.block(number, this.#ended)
  }

  /** Fetches the head once, applies the blocks up to it, and returns it. */
  async #step(fetcher: BlockFetcher, signal: AbortSignal): Promise<Head> {
    const head = await fetcher.head(signal)
    this.#see(head, fetcher)
    const tip = this.#writer.tip
    if (head.number < this.#startBlock) {
      await this.#report(
        'waiting',
        `the node is at block ${head.number}, before the start block ${this.#startBlock}`,
      )
    } else if (!tip || head.number > tip.number) {
      await this.#advance(fetcher, head, signal)
    } else {
      const stored = await this.#storedHash(head.number)
      if (stored === undefined)
        throw new RetryableError('disagreement', 'the store changed under the indexer')
      // A lower head with the stored hash means that the node lags; nothing is rolled back.
      if (stored === head.hash) await this.#report('live')
      else await this.#resolveDisagreement(fetcher, signal)
    }
    return head
  }

  async #storedHash(number: number): Promise<string | undefined> {
    const hashes = await this.#options.session.use((sql) => storedHashes(sql, this.#chain, number, number))
    return hashes.get(number)
  }

  #see(head: Head, fetcher: BlockFetcher): void {
    this.#options.stats.headNumber = head.number
    this.#view = {
      headNumber: head.number,
      finalizedNumber: head.finalized,
      seenTs: now(),
      traceSource: fetcher.traceSource,
    }
  }

  /** Applies the blocks up to the head: in runs while it is far away, one by one when it is near. */
  async #advance(fetcher: BlockFetcher, head: Head, signal: AbortSignal): Promise<void> {
    const { config, stats } = this.#options
    const progress = new ProgressMeter(
      stats,
      (measured) => this.#status.progress(measured),
      this.#pace.progress,
    )
    const from = this.#writer.tip ? this.#writer.tip.number + 1 : this.#startBlock
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    const queue = new Prefetcher({
      from,
      to: head.number,
      concurrency: config.concurrency,
      fetch: (number) => fetcher.block(number, both),
      onDepth: (depth) => {
        stats.queueDepth = depth
      },
    })
    try {
      while (!signal.aborted) {
        const next = this.#writer.tip ? this.#writer.tip.number + 1 : from
        const live = head.number - next < liveDistance
        const blocks = await progress.time('waitedMs', queue.take(live ? single : run))
        if (blocks.length === 0) break
        const linked = linkedPrefix(this.#writer.tip?.hash, blocks)
        if (!(await isLinked(linked[0], this.#writer.tip, fetcher, signal))) {
          await this.#resolveDisagreement(fetcher, signal)
          return
        }
        await progress.time('storedMs', this.#writer.append(linked, this.#viewNow(fetcher)))
        await progress.note()
        if (linked.length < blocks.length) return
        if (this.#secondsSinceHead() > headEvery) this.#see(await fetcher.head(signal), fetcher)
      }
    } finally {
      queue.close()
      stop.abort()
    }
  }

  #secondsSinceHead(): number {
    return now() - (this.#view?.seenTs ?? 0)
  }

  #viewNow(fetcher: BlockFetcher): NodeView {
    if (!this.#view) throw new Error('no head was seen')
    return { ...this.#view, traceSource: fetcher.traceSource }
  }

  /**
   * Handles a disagreement between node and store: verifies that the chain is the same, fetches the block
   * again, and follows the reorg if there is one. A node that only lags, or that answers from several back
   * ends, changes nothing.
   */
  async #resolveDisagreement(fetcher: BlockFetcher, signal: AbortSignal): Promise<void> {
    const tip = this.#writer.tip
    const { session, logger } = this.#options
    const { isNew } = await this.#identify(signal)
    if (isNew) throw new RetryableError('disagreement', 'the network was recreated')
    await pause(this.#pace.secondThought, signal)
    const head = await fetcher.head(signal)
    this.#see(head, fetcher)
    if (!tip) throw new RetryableError('disagreement', 'the node changed its mind about the first block')
    const height = Math.min(head.number, tip.number)
    const [theirs] = await fetcher.hashes([height], signal)
    const ours = await this.#storedHash(height)
    if (theirs === undefined || theirs === ours) {
      throw new RetryableError(
        'disagreement',
        `the node's answers about block ${height} disagree with each other`,
      )
    }
    const ancestor = await this.#ancestor({
      session,
      fetcher,
      chain: this.#chain,
      differsAt: height,
      floor: this.#writer.floor,
      signal,
    })
    const blocks = await this.#fetchBranch(fetcher, ancestor, head.number, signal)
    await this.#writer.replace(ancestor, blocks, this.#viewNow(fetcher))
    logger.warn(
      { chain: this.#chain, ancestor, depth: tip.number - ancestor, head: blocks.at(-1)?.number },
      'followed a reorg',
    )
  }

  /**
   * Like `findAncestor`. If the node's history differs below the final block, starts over if the operator
   * allows it.
   */
  async #ancestor(search: AncestorSearch): Promise<number> {
    try {
      return await findAncestor(search)
    } catch (error) {
      const { config, session, logger } = this.#options
      if (!(error instanceof OtherHistoryError) || config.onNewGenesis !== 'startOver') throw error
      await session.transaction((sql) => forgetChain(sql, this.#chain))
      logger.warn({ chain: this.#chain }, 'the node has another history: its chain is indexed from the start')
      throw new RetryableError(
        'disagreement',
        'the node has another history: its chain is indexed from the start',
      )
    }
  }

  /** The node's blocks above an ancestor, linked to it, up to the limit of one transaction. */
  async #fetchBranch(
    fetcher: BlockFetcher,
    ancestor: number,
    head: number,
    signal: AbortSignal,
  ): Promise<DecodedBlock[]> {
    const { config } = this.#options
    const parent = await this.#storedHash(ancestor)
    const to = Math.min(head, ancestor + branchBlocks)
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    const queue = new Prefetcher({
      from: ancestor + 1,
      to,
      concurrency: config.concurrency,
      fetch: (number) => fetcher.block(number, both),
      onDepth: () => undefined,
    })
    const blocks: DecodedBlock[] = []
    try {
      while (blocks.length < to - ancestor) blocks.push(...(await queue.take(run)))
    } finally {
      queue.close()
      stop.abort()
    }
    if (linkedPrefix(parent, blocks).length < blocks.length) {
      throw new RetryableError('disagreement', 'the chain changed while its new branch was fetched')
    }
    return blocks
  }

  async #report(state: 'waiting' | 'live', reason?: string): Promise<void> {
    await this.#status.report(state, { reason, indexed: this.#writer.tip?.number, view: this.#view })
  }

  async #recover(error: RetryableError | FatalError, failures: number, signal: AbortSignal): Promise<void> {
    const { logger } = this.#options
    const fields = { chain: this.#chain, failures, reason: error.message }
    // The cached knowledge of node or store may be the cause: load it again.
    this.#fetcher = undefined
    try {
      if (error instanceof FatalError) {
        this.#stops += 1
        // Once for each reason: it is examined again and again.
        if (this.#stoppedFor !== error.message) logger.error(fields, 'the chain is stopped')
        this.#stoppedFor = error.message
        await this.#status.report('stopped', {
          reason: error.message,
          indexed: this.#writer.tip?.number,
          view: this.#view,
        })
        await waitStopped(this.#pace, this.#stops, () => this.#isStopped(), signal)
        return
      }
      this.#options.stats.rpcErrors[error.kind] +=
        error.kind === 'store' || error.kind === 'disagreement' ? 1 : 0
      if (failures === 1 || failures % 20 === 0) logger.warn(fields, 'trying again')
      await this.#report('waiting', error.message)
    } catch (reported) {
      // The database is unavailable; the next round will report it.
      logger.warn(
        { chain: this.#chain, reason: classify(reported).message },
        'the state could not be written',
      )
    }
    await pause(delayAfter(failures, this.#pace), signal)
  }

  /** Whether the store still says so; a chain without a row has none that a rewind could change. */
  async #isStopped(): Promise<boolean> {
    const [row] = await this.#options.session.use(
      (sql) => sql<{ state: string }[]>`select state from chains where chain = ${this.#chain}`,
    )
    return row === undefined || row.state === 'stopped'
  }
}

const now = (): number => Math.floor(Date.now() / 1000)
