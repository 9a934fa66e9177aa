import { classify, FatalError, LockedError, RetryableError } from '../../kernel/errors.ts'
import type { IndexerLogger } from '../evm/indexer.ts'
import { pause, type Pace, delayAfter } from '../../kernel/pause.ts'
import { type Progress, ProgressMeter } from '../../kernel/progress-meter.ts'
import type { StoreSession } from '../../store/session.ts'
import type { IndexerStats } from '../../kernel/indexer-stats.ts'
import { report, saveProgress, storedId, type PrimaryState } from './batch/store.ts'
import { keyOf } from './batch/rows.ts'
import { waitStopped } from '../../kernel/stopped.ts'

/** Fetches and applies the blocks of one chain for `follow`. */
export type ChainDriver = {
  readonly chain: number
  /** For example `P-Chain`. */
  readonly name: string
  /** The highest applied block; -1 before the first. */
  readonly height: number
  /** Identifies the node's chain and loads the position from the store. */
  connect(signal: AbortSignal): Promise<void>
  /** The height of the source's head. */
  head(signal: AbortSignal): Promise<number>
  /** The id of the source's block at a stored height. */
  idAt(height: number, signal: AbortSignal): Promise<Uint8Array>
  /** Applies blocks up to a head, and measures how fast. */
  advance(head: number, progress: ProgressMeter, signal: AbortSignal): Promise<void>
  close(): void
}

/** Another chain's indexer has to make progress first; this is not a failure. */
export class NotYetError extends RetryableError {
  constructor(message: string) {
    super('store', message)
  }
}

type FollowOptions = {
  readonly driver: ChainDriver
  readonly session: StoreSession
  readonly logger: IndexerLogger
  readonly stats: IndexerStats
  readonly pace: Pace
  /** Milliseconds between looks at the head. */
  readonly pollEvery: number
}

/** Milliseconds between checks whether another chain has made progress. */
const turnPause = 50
/** Milliseconds after which an unchanged state is written again. */
const quiet = 10_000

/**
 * Follows one chain until the signal aborts. A lower height means that the node lags. A different block at an
 * accepted height stops the chain: it is marked with the reason, and continues when its row is changed; it is examined
 * again at intervals. Throws only LockedError.
 */
export async function follow(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { driver, session, logger, stats, pace } = options
  const reporter = new Reporter(options)
  let connected = false
  let wasConnected = false
  let comparedAgain = false
  let failures = 0
  /** Stops since the chain last went on, and the reason of the last one. */
  let stops = 0
  let stoppedFor = ''
  try {
    while (!signal.aborted) {
      // Reported with failures too: a node that serves its head but no blocks leaves the chain behind it.
      let head: number | undefined
      try {
        if (!connected) {
          await session.open()
          // Connecting needs blocks, which the node may be the one thing not to serve.
          if (wasConnected) head = await driver.head(signal)
          await driver.connect(signal)
          connected = true
          wasConnected = true
        }
        head ??= await driver.head(signal)
        stats.headNumber = head
        if (head > driver.height) await driver.advance(head, newMeter(), signal)
        else await confirm(options, head, signal)
        stats.indexedNumber = driver.height
        await reporter.report('live', undefined, head)
        failures = 0
        stops = 0
        stoppedFor = ''
        comparedAgain = false
        await pause(options.pollEvery, signal)
      } catch (error) {
        if (signal.aborted) return
        if (error instanceof LockedError) throw error
        if (error instanceof NotYetError) {
          await reporter.report('waiting', error.message, head)
          await pause(turnPause, signal)
          continue
        }
        const reason = classify(error)
        // The network may have been recreated meanwhile. Connecting again compares its genesis with the
        // stored one.
        const mayBeAnother = connected && !comparedAgain && reason instanceof FatalError
        connected = false
        if (mayBeAnother) {
          comparedAgain = true
          continue
        }
        failures += 1
        await recover(reporter, reason, head, failures, signal)
      }
    }
  } finally {
    driver.close()
  }

  function newMeter(): ProgressMeter {
    const save = (measured: Progress) => session.use((sql) => saveProgress(sql, driver.chain, measured))
    return new ProgressMeter(stats, save, pace.progress)
  }

  async function isStopped(): Promise<boolean> {
    const [row] = await session.use(
      (sql) => sql<{ state: string }[]>`select state from primary_chains where chain = ${driver.chain}`,
    )
    return row === undefined || row.state === 'stopped'
  }

  async function recover(
    reporter: Reporter,
    error: RetryableError | FatalError,
    head: number | undefined,
    failures: number,
    signal: AbortSignal,
  ): Promise<void> {
    const fields = { chain: driver.name, failures, reason: error.message }
    try {
      if (error instanceof FatalError) {
        stops += 1
        // Once for each reason: it is examined again and again.
        if (stoppedFor !== error.message) logger.error(fields, 'the chain is stopped')
        stoppedFor = error.message
        await reporter.report('stopped', error.message, head)
        await waitStopped(pace, stops, isStopped, signal)
        return
      }
      if (failures === 1 || failures % 20 === 0) logger.warn(fields, 'trying again')
      await reporter.report('waiting', error.message, head)
    } catch (reported) {
      logger.warn(
        { chain: driver.name, reason: classify(reported).message },
        'the state could not be written',
      )
    }
    await pause(delayAfter(failures, pace), signal)
  }
}

/** If the node has nothing new, compares its newest block with the stored one. */
async function confirm(
  { driver, session, pace }: FollowOptions,
  head: number,
  signal: AbortSignal,
): Promise<void> {
  const stored = await session.use((sql) => storedId(sql, driver.chain, head))
  if (stored === undefined) throw new RetryableError('store', 'the store changed under the indexer')
  if (keyOf(await driver.idAt(head, signal)) === stored) return
  await pause(pace.secondThought, signal)
  const again = keyOf(await driver.idAt(head, signal))
  if (again !== stored) throw otherBlock(driver.name, head, again)
}

/** Accepted blocks never change, so this is another chain or a broken one. */
export function otherBlock(name: string, height: number, id: string): FatalError {
  return new FatalError(
    `the node has another ${name} block at the accepted height ${height} (${id}): check the network's nodeUrl, or use a new database`,
  )
}

/** Writes the state of a chain's row when it changes, and at intervals. */
class Reporter {
  readonly #options: FollowOptions
  #last = ''
  #lastAt = 0

  constructor(options: FollowOptions) {
    this.#options = options
  }

  async report(state: PrimaryState, reason: string | undefined, head: number | undefined): Promise<void> {
    const { session, driver } = this.#options
    const key = `${state} ${reason ?? ''} ${head}`
    const now = performance.now()
    if (key === this.#last && now - this.#lastAt < quiet) return
    await session.use((sql) => report(sql, driver.chain, state, reason, head))
    this.#last = key
    this.#lastAt = now
  }
}
