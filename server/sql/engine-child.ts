import { fork, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { PassThrough, type Readable } from 'node:stream'
import { JobFailure, tooLarge, tooSlow } from './failures.ts'
import {
  answerPipe,
  type ExportJob,
  type ExportPart,
  type FromEngine,
  type Job,
  type ToEngine,
} from './messages.ts'

/** The program lies next to this module in the sources, and next to the built programs after a build. */
const places = ['engine-process.ts', 'sql-engine.js', '../sql-engine.js']

/** Seconds after the limit at which a process that does not stop by itself is ended. */
const grace = 3

/** Seconds that a process may take to start, besides the limit. */
const startSeconds = 60

/** Megabytes of JavaScript's own heap: it holds a few chunks of rows. */
const heap = 256

/** Milliseconds for which a process waits for the next job. */
const idle = 60_000

/**
 * The engine's processes: each runs one job, so that no statement finds anything of another. The next one is started
 * ahead, because starting takes longer than most statements, and ends if no job comes.
 */
export class EngineProcesses {
  #next: ChildProcess | undefined
  #ending: NodeJS.Timeout | undefined
  #isClosed = false

  take(): ChildProcess {
    const taken = this.#next ?? startProcess()
    this.#forget()
    return taken
  }

  /** Starts the next process, unless it is there. */
  prepare(): void {
    if (this.#isClosed || this.#next) return
    const next = startProcess()
    next.once('close', () => {
      if (this.#next === next) this.#forget()
    })
    next.once('error', () => undefined)
    this.#next = next
    this.#ending = setTimeout(() => this.#end(), idle)
    this.#ending.unref()
  }

  /** Ends the process that waits. Running ones end with their answers. */
  close(): void {
    this.#isClosed = true
    this.#end()
  }

  #end(): void {
    const next = this.#next
    this.#forget()
    next?.kill('SIGKILL')
  }

  #forget(): void {
    this.#next = undefined
    clearTimeout(this.#ending)
  }
}

export function startProcess(): ChildProcess {
  const file = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(path))
  if (file === undefined) throw new Error('the program of the SQL engine is not built')
  return fork(file, [], {
    // It gets none of our environment, which holds secrets.
    env: { TZ: 'UTC', ...(process.env['SystemRoot'] && { SystemRoot: process.env['SystemRoot'] }) },
    execArgv: [
      `--max-old-space-size=${heap}`,
      ...(file.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : []),
    ],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  })
}

/** An answer that has begun. Destroying it ends the engine's process. */
export type Answer = { readonly body: Readable }

type RunOptions = {
  /** Aborts when the caller is gone. */
  readonly signal: AbortSignal
  /** Is called once the process is gone. */
  readonly ended: () => void
}

/**
 * Runs a job in a process that has run none. Resolves when the answer begins; rejects with a JobFailure before that.
 * `prepare` gives the statements that make the tables.
 */
export function runInProcess(
  child: ChildProcess,
  job: Job,
  options: RunOptions & { readonly prepare: (tables: readonly string[]) => Promise<readonly string[]> },
): Promise<Answer> {
  return runWork(child, job, { type: 'run', job }, options, async (message) =>
    message.type === 'needs'
      ? { type: 'setup', statements: await options.prepare(message.tables) }
      : undefined,
  )
}

/** Like `runInProcess`, for an export; its time limit is one of each part. */
export function exportInProcess(
  child: ChildProcess,
  job: ExportJob,
  options: RunOptions & { readonly nextPart: () => Promise<ExportPart | undefined> },
): Promise<Answer> {
  return runWork(child, job, { type: 'export', job }, options, async (message) =>
    message.type === 'next' ? { type: 'part', part: await options.nextPart() } : undefined,
  )
}

function runWork(
  child: ChildProcess,
  job: Job | ExportJob,
  work: ToEngine,
  options: RunOptions,
  answerTo: (message: FromEngine) => Promise<ToEngine | undefined>,
): Promise<Answer> {
  const send = (message: ToEngine): void => {
    if (child.connected) child.send(message, () => undefined)
  }
  const kill = (): void => void child.kill('SIGKILL')
  let complaints = ''
  child.stderr?.on('data', (text: Buffer) => {
    complaints = `${complaints}${text.toString()}`.slice(-2_000)
  })
  let isLate = false
  const killLate = (): void => {
    isLate = true
    kill()
  }
  // The engine keeps the limit itself, from when it has the job; a loaded machine may take long to start it.
  let deadline = setTimeout(killLate, (job.seconds + startSeconds) * 1_000)
  options.signal.addEventListener('abort', kill)
  if (options.signal.aborted) kill()

  return new Promise<Answer>((resolve, reject) => {
    let last: FromEngine | undefined
    /** Why the service could not give what the engine needs. */
    let refusal: Error | undefined
    /** Settles when the process has ended: with nothing if it sent all of the answer. */
    const finished = new Promise<void>((done, fail) => {
      child.once('error', fail)
      child.once('close', () => {
        if (last?.type === 'done') done()
        else if (last?.type === 'failed') fail(new JobFailure(last.class, last.message))
        else if (refusal) fail(refusal)
        else if (isLate) fail(new JobFailure('limit', tooSlow(job)))
        else fail(died(child, job, complaints))
      })
    })
    finished
      .catch(reject)
      .finally(() => {
        clearTimeout(deadline)
        options.signal.removeEventListener('abort', kill)
        options.ended()
      })
      .catch(() => undefined)

    send(work)
    child.on('message', (message: FromEngine) => {
      last = message
      if (message.type === 'needs' || message.type === 'next' || message.type === 'taken') {
        clearTimeout(deadline)
        deadline = setTimeout(killLate, (job.seconds + grace) * 1_000)
        answerTo(message).then(
          (answer) => answer && send(answer),
          (error: unknown) => {
            refusal = error as Error
            kill()
          },
        )
      }
      if (message.type === 'begin') {
        const isTold = (): boolean => job.format === 'json' && last?.type === 'failed'
        const body = bodyOf(child.stdio[answerPipe] as Socket, finished, isTold)
        body.once('close', kill)
        resolve({ body })
      }
    })
  })
}

/**
 * The bytes of the pipe. They fail at their end if the engine failed, unless the answer says so itself: a reader must
 * not take a part for the whole.
 */
function bodyOf(pipe: Socket, finished: Promise<void>, isTold: () => boolean): Readable {
  const body = new PassThrough()
  pipe.on('error', (error) => body.destroy(error))
  // The process counts as ended only once its pipe is read to the end.
  pipe.pipe(body, { end: false })
  finished.then(
    () => body.end(),
    (error: unknown) => (isTold() ? body.end() : body.destroy(error as Error)),
  )
  return body
}

/** Why a process ended without a word: almost always its memory. */
function died(
  { exitCode, signalCode }: ChildProcess,
  job: Pick<Job, 'memoryMegabytes'>,
  complaints: string,
): JobFailure {
  const isMemory =
    signalCode === 'SIGKILL' || signalCode === 'SIGABRT' || /heap out of memory|bad_alloc/.test(complaints)
  if (isMemory) return new JobFailure('limit', tooLarge(job))
  return new JobFailure('internal', `the engine ended with ${signalCode ?? exitCode}: ${complaints}`)
}
