import { startWorker } from '../kernel/programs/start-worker.ts'

/** What the thread is started with. */
export type HealthWork = {
  readonly host: string
  readonly port: number
  /** When the main thread last ran, in nanoseconds of the monotonic clock. */
  readonly beat: BigInt64Array
  /** Seconds after which the main thread counts as stuck. */
  readonly stalledAfter: number
}

/** What the thread tells once: the port that it listens on, or why it does not. */
export type HealthNews = { readonly port: number } | { readonly code: string }

export type HealthThread = {
  /** The port it listens on. */
  readonly port: number
  close(): Promise<void>
}

type HealthOptions = {
  /** The port; 0 takes a free one. */
  readonly port: number
  readonly stalledAfter?: number
  /** Called when the thread ends by itself. */
  readonly onEnd: (error: Error) => void
}

/** Milliseconds between two signs of life of the main thread. */
const beatEvery = 250
/** Only this machine, or this container, may ask: the check belongs to what starts the service again. */
const host = '127.0.0.1'

/**
 * Answers `/health` on a port and a thread of its own, so that a busy main thread does not delay it. The main thread
 * signs a shared clock; once it has not for `stalledAfter` seconds, the answer is a 503, because a thread that is stuck
 * does not recover. Rejects with the system's `code` if it cannot listen.
 */
export function startHealthThread({ port, stalledAfter = 15, onEnd }: HealthOptions): Promise<HealthThread> {
  const beat = new BigInt64Array(new SharedArrayBuffer(8))
  const sign = (): void => void Atomics.store(beat, 0, process.hrtime.bigint())
  sign()
  const work: HealthWork = { host, port, beat, stalledAfter }
  const thread = startWorker('health-worker', import.meta.url, {
    workerData: work,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
  })
  const signing = setInterval(sign, beatEvery)
  signing.unref()
  let isClosed = false
  const close = async (): Promise<void> => {
    isClosed = true
    clearInterval(signing)
    await thread.terminate()
  }
  return new Promise((resolve, reject) => {
    const end = (error: Error): void => {
      if (isClosed) return
      void close()
      reject(error)
      onEnd(error)
    }
    thread.once('message', (news: HealthNews) => {
      // Not before: until it listens, nothing else may keep the process, which would end as if it were done.
      thread.unref()
      if ('port' in news) return resolve({ port: news.port, close })
      reject(Object.assign(new Error(`cannot listen: ${news.code}`), { code: news.code }))
      return close()
    })
    thread.on('error', (error) => end(error))
    thread.on('exit', () => end(new Error('the thread of /health ended')))
  })
}
