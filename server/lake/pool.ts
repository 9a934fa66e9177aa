import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { FatalError, RetryableError } from '../kernel/errors.ts'
import { pause } from '../kernel/pause.ts'
import type { ExtractSource } from './extract-range.ts'
import { manifestFile, type WantedRange, type Manifest } from './manifest.ts'
import type { RangeQueue } from './queue.ts'
import type { WorkerAnswer, WorkerOrder } from './worker.ts'

export type PoolOptions = {
  source: ExtractSource
  queue: RangeQueue
  workers: number
  /** The program to start with the argument `worker`. */
  program: string
  signal: AbortSignal
  onStarted(worker: { pid: number | undefined }): void
  onWritten(written: { manifest: Manifest; milliseconds: number; cpuMilliseconds: number }): void
  /** Called when a range has to be done again. */
  onRetry(retry: { range: WantedRange; reason: string }): void
}

/** Failures of one range in a row, a killed worker included, until the extraction gives up. */
const maxFailures = 10
/** Milliseconds to wait after a failure (longer each time), and for the workers of other machines. */
const firstPause = 250
const longestPause = 15_000
const busyPause = 1_000

/** Ranges that a worker has at once: it reads one while the one before is written. */
const rangesOfWorker = 2

/**
 * How the engine collects a worker's garbage. Almost all of it is dead within milliseconds, and other threads of the
 * collector only take the processor from the node and from other workers.
 */
const workerFlags = ['--single-threaded-gc', '--max-semi-space-size=32']

/**
 * Extracts the ranges of a queue with several worker processes. A worker that is killed or crashes is
 * replaced, and its ranges are done again. Throws FatalError for what no retry resolves, and RetryableError if a
 * range keeps failing.
 */
export async function runPool(options: PoolOptions): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([options.signal, stop.signal])
  const failures = new Map<number, number>()
  const slots = Array.from({ length: options.workers }, () => new Slot({ ...options, signal }))
  const lanes = slots.flatMap((slot) =>
    Array.from({ length: rangesOfWorker }, () => runLane({ ...options, signal }, slot, failures)),
  )
  try {
    await Promise.all(lanes)
  } finally {
    stop.abort()
    await Promise.allSettled(lanes)
    await Promise.all(slots.map((slot) => slot.end()))
  }
}

/** A place for one worker after another. */
class Slot {
  readonly #options: PoolOptions
  #worker: Worker | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** The worker, or its replacement if it has ended. */
  get worker(): Worker {
    if (!this.#worker?.isAlive) this.#worker = new Worker(this.#options)
    return this.#worker
  }

  async end(): Promise<void> {
    await this.#worker?.end()
  }
}

/** Extracts one range after another, until none is left. */
async function runLane(options: PoolOptions, slot: Slot, failures: Map<number, number>): Promise<void> {
  const { queue, source, signal } = options
  while (!signal.aborted) {
    const range = await queue.take()
    if (range === undefined) return
    if (range === 'busy') {
      await pause(busyPause, signal)
      continue
    }
    if (existsSync(manifestFile(source.root, source.chain, range))) {
      await queue.done(range)
      continue
    }
    const answer = signal.aborted ? undefined : await slot.worker.extract(range)
    if (answer && 'written' in answer) {
      await queue.done(range)
      const { written: manifest, milliseconds, cpuMilliseconds } = answer
      options.onWritten({ manifest, milliseconds, cpuMilliseconds })
      continue
    }
    await queue.giveBack(range)
    if (signal.aborted) return
    await countFailure(range, answer, options, failures)
  }
}

async function countFailure(
  range: WantedRange,
  answer: Extract<WorkerAnswer, { failed: string }> | undefined,
  { onRetry, signal }: PoolOptions,
  failures: Map<number, number>,
): Promise<void> {
  const reason = answer?.failed ?? 'its worker ended'
  const failed = (failures.get(range.from) ?? 0) + 1
  failures.set(range.from, failed)
  const message = `blocks ${range.from} to ${range.to}: ${reason}`
  if (answer?.fatal) throw new FatalError(message)
  if (failed >= maxFailures) throw new RetryableError('unavailable', message)
  onRetry({ range, reason })
  // A killed worker says nothing about the node.
  if (answer) await pause(Math.min(longestPause, firstPause * 2 ** failed), signal)
}

/** A worker process. */
class Worker {
  readonly #child: ChildProcess
  readonly #ended: Promise<void>

  constructor({ program, source, signal, onStarted }: PoolOptions) {
    this.#child = fork(program, ['worker'], {
      execArgv: [...process.execArgv, ...workerFlags],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    this.#ended = once(this.#child, 'exit').then(
      () => undefined,
      () => undefined,
    )
    onStarted({ pid: this.#child.pid })
    const kill = () => this.#child.kill('SIGKILL')
    signal.addEventListener('abort', kill)
    void this.#ended.then(() => signal.removeEventListener('abort', kill))
    this.#send({ source })
  }

  get isAlive(): boolean {
    return this.#child.connected && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** The worker's answer; undefined if it ended before. */
  async extract(range: WantedRange): Promise<WorkerAnswer | undefined> {
    return new Promise((resolve) => {
      const child = this.#child
      const settle = (answer: WorkerAnswer | undefined) => {
        child.off('message', read)
        resolve(answer)
      }
      const read = (answer: WorkerAnswer) => {
        if (answer.from === range.from) settle(answer)
      }
      child.on('message', read)
      void this.#ended.then(() => settle(undefined))
      this.#send({ range })
    })
  }

  /** Ends the process; what it has not published is lost. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
  }

  #send(order: WorkerOrder): void {
    // A child that has gone is noticed by its exit.
    if (this.#child.connected) this.#child.send(order, () => undefined)
  }
}
