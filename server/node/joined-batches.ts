import { RetryableError, type FailureKind } from '../kernel/errors.ts'
import type { Call, Outcome, RpcClient } from './rpc.ts'

/** The most batches of one exchange. */
export const maxJoined = 4
/** Bytes of an answer that further batches would make slower to read rather than cheaper. */
const wantedBytes = 512 * 1024
/** The share of the newest answer in the average size. */
const newestShare = 1 / 8
/** Failures that smaller exchanges may not have. */
const mayBeTooLarge: ReadonlySet<FailureKind> = new Set([
  'rpc',
  'tooLarge',
  'timeout',
  'malformed',
  'unavailable',
])

type Waiting = {
  readonly calls: readonly Call[]
  readonly signal: AbortSignal
  resolve(outcomes: Outcome[]): void
  reject(error: unknown): void
}

/**
 * Sends batches together that are requested at the same time: an exchange by itself takes the time of checking a small
 * block. Only as many are joined as have an answer of half a megabyte. If an exchange fails in a way that may come of its
 * size, later ones are half as large.
 */
export class JoinedBatches {
  readonly #rpc: Pick<RpcClient, 'batch'>
  /** Exchanges under way at once. */
  readonly #exchanges: number
  #waiting: Waiting[] = []
  #running = 0
  #isPlanned = false
  #max = maxJoined
  /** The average size of the answer to one batch; at first, an answer of one is awaited. */
  #bytes = wantedBytes

  constructor({ rpc, exchanges }: { rpc: Pick<RpcClient, 'batch'>; exchanges: number }) {
    this.#rpc = rpc
    this.#exchanges = exchanges
  }

  /** The outcomes of a batch, as of `RpcClient.batch`. An error of the exchange is that of all its batches. */
  batch(calls: readonly Call[], signal: AbortSignal): Promise<Outcome[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ calls, signal, resolve, reject })
      this.#plan()
    })
  }

  /** Batches that are requested in one turn of the event loop can be joined. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      while (this.#running < this.#exchanges && this.#waiting.length > 0) void this.#exchange(this.#next())
    })
  }

  /** The batches of the next exchange, which are cancelled together. */
  #next(): Waiting[] {
    const wanted = Math.max(1, Math.min(this.#max, Math.floor(wantedBytes / this.#bytes)))
    const signal = this.#waiting[0]?.signal
    const other = this.#waiting.findIndex((waiting) => waiting.signal !== signal)
    return this.#waiting.splice(0, other < 0 ? wanted : Math.min(wanted, other))
  }

  async #exchange(joined: readonly Waiting[]): Promise<void> {
    const [first] = joined
    if (!first) return
    this.#running += 1
    try {
      const outcomes = await this.#rpc.batch(
        joined.flatMap(({ calls }) => calls),
        first.signal,
        {
          mayBeTooLarge: joined.length > 1,
          onBytes: (bytes) => {
            this.#bytes += (bytes / joined.length - this.#bytes) * newestShare
          },
        },
      )
      let at = 0
      for (const { calls, resolve } of joined) {
        resolve(outcomes.slice(at, at + calls.length))
        at += calls.length
      }
    } catch (error) {
      if (error instanceof RetryableError && mayBeTooLarge.has(error.kind) && joined.length > 1)
        this.#max = Math.min(this.#max, joined.length >> 1)
      for (const { reject } of joined) reject(error)
    } finally {
      this.#running -= 1
      if (this.#waiting.length > 0) this.#plan()
    }
  }
}
