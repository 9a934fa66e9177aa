import { fork, type ChildProcess } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { bareEnvironment, programFile } from '../kernel/programs/program-file.ts'
import { JobFailure, tooLarge, tooSlow } from './failures.ts'
import {
  answerPipe,
  type ExportJob,
  type ExportPart,
  type FromEngine,
  type Job,
  type ToEngine,
  type Setup,
} from './messages.ts'

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
  const { path, isSource } = programFile('sql-engine', 'engine-process.ts', import.meta.url)
  return fork(path, [], {
    env: bareEnvironment(),
    execArgv: [`--max-old-space-size=${heap}`, ...(isSource ? ['--import', import.meta.resolve('tsx')] : [])],
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

/** What differs between the kinds of work: the first message, the answers to messages, and the body. */
type Work = {
  readonly first: ToEngine
  readonly answer: (message: FromEngine) => Promise<ToEngine | undefined>
  readonly begins: (message: FromEngine) => boolean
  readonly body: (pipe: Socket, finished: Promise<void>, control: Control) => Readable
}

type Control = {
  readonly send: (message: ToEngine) => void
  /** Lets the time limit of a part begin anew. */
  readonly extend: () => void
  readonly last: () => FromEngine | undefined
}

/**
 * Runs a job in a process that has run none. Resolves when the answer begins; rejects with a JobFailure before that.
 * `prepare` gives what makes the tables.
 */
export function runInProcess(
  child: ChildProcess,
  job: Job,
  options: RunOptions & { readonly prepare: (tables: readonly string[]) => Promise<Setup> },
): Promise<Answer> {
  return runWork(child, job, options, {
    first: { type: 'run', job },
    answer: async (message) =>
      message.type === 'needs' ? { type: 'setup', ...(await options.prepare(message.tables)) } : undefined,
    begins: ({ type }) => type === 'begin',
    body: (pipe, finished, { last }) =>
      bodyOf(pipe, finished, () => job.format === 'json' && last()?.type === 'failed'),
  })
}

/** Bytes that are read from a file at once. */
const readBytes = 1_048_576

/**
 * Like `runInProcess`, for an export. `head` comes before its files. Its time limit is that of one part, and begins
 * anew while the caller takes bytes.
 */
export function exportInProcess(
  child: ChildProcess,
  job: ExportJob,
  {
    nextPart,
    head,
    ...options
  }: RunOptions & { readonly head: string; readonly nextPart: () => Promise<ExportPart | undefined> },
): Promise<Answer> {
  const files: string[] = []
  let wake = (): void => undefined

  // The engine's files are sent as they are: through the pipe each byte would be copied twice more.
  async function* bytes(finished: Promise<void>, { send, extend }: Control): AsyncGenerator<Buffer> {
    let isOver = false
    const over = (): void => {
      isOver = true
      wake()
    }
    // A failure destroys the body: a reader must not take a part for the whole.
    finished.then(over, () => undefined)
    if (head !== '') yield Buffer.from(head)
    for (;;) {
      const file = files.shift()
      if (file !== undefined) {
        for await (const chunk of createReadStream(file, { highWaterMark: readBytes })) {
          extend()
          yield chunk as Buffer
        }
        await rm(file)
        send({ type: 'sent' })
      } else if (isOver) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }

  return runWork(child, job, options, {
    first: { type: 'export', job },
    async answer(message) {
      if (message.type === 'next') return { type: 'part', part: await nextPart() }
      if (message.type === 'file') {
        files.push(message.file)
        wake()
      }
      return undefined
    },
    begins: ({ type }) => type === 'file' || type === 'done',
    body(pipe, finished, control) {
      // The process counts as ended only once its pipe is read to the end.
      pipe.resume()
      const body = Readable.from(bytes(finished, control))
      // Also while the caller takes nothing, which is what a late one does.
      finished.catch((error: unknown) => body.destroy(error as Error))
      return body
    },
  })
}

function runWork(
  child: ChildProcess,
  job: Job | ExportJob,
  options: RunOptions,
  work: Work,
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
  const extend = (): void => {
    clearTimeout(deadline)
    deadline = setTimeout(killLate, (job.seconds + grace) * 1_000)
  }
  options.signal.addEventListener('abort', kill)
  if (options.signal.aborted) kill()

  return new Promise<Answer>((resolve, reject) => {
    let last: FromEngine | undefined
    /** Why the service could not give what the engine needs. */
    let refusal: Error | undefined
    let hasBegun = false
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

    send(work.first)
    child.on('message', (message: FromEngine) => {
      last = message
      if (message.type !== 'begin' && message.type !== 'done' && message.type !== 'failed') {
        extend()
        work.answer(message).then(
          (answer) => answer && send(answer),
          (error: unknown) => {
            refusal = error as Error
            kill()
          },
        )
      }
      if (!hasBegun && work.begins(message)) {
        hasBegun = true
        const body = work.body(child.stdio[answerPipe] as Socket, finished, {
          send,
          extend,
          last: () => last,
        })
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
