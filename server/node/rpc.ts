import { createTransport, ExchangeFailure, type Exchange, type Transport } from './transport.ts'
import { FatalError, RetryableError, RpcError } from '../kernel/errors.ts'
import { pause, defaultPace, type Pace, delayAfter } from '../kernel/pause.ts'
import type { IndexerStats } from '../kernel/indexer-stats.ts'
import { yieldToEventLoop } from '../kernel/turns.ts'

export type Call = readonly [method: string, params: readonly unknown[]]

/** The outcome of one call of a batch: its result, or the error that the node reported. */
export type Outcome = { readonly result: unknown } | { readonly error: RpcError }

type RpcOptions = {
  url: string
  /** Timeout of one exchange in milliseconds, body included. */
  timeout: number
  stats: IndexerStats
  concurrency: number
  maxBytes?: number
  pace?: Pace
}

type BatchOptions = {
  /** With true, a batch that the node refuses is a failure: a smaller one may be accepted. */
  readonly mayBeTooLarge?: boolean
  /** Called with the size of the answer. */
  onBytes?(bytes: number): void
}

/** Maximum size of an answer in bytes. */
const largestBody = 128 * 1024 * 1024

/**
 * A JSON-RPC 2.0 client over HTTP. It never repeats a request by itself. After a failure, all further
 * requests are delayed, longer each time, or as long as Retry-After says. Callers may therefore simply retry,
 * and the request rate does not depend on their number.
 *
 * Throws RetryableError (network, timeout, 429, 5xx, HTML, truncated JSON, unexpected or missing ids, an
 * answer above the limit), FatalError (401, 403) and, from `call`, RpcError. Messages contain the host label,
 * never the URL.
 */
export class RpcClient {
  readonly host: string
  readonly #stats: IndexerStats
  readonly #pace: Pace
  readonly #timeout: number
  readonly #transport: Transport
  #nextId = 1
  #batches = true
  #failures = 0
  #lastFailure = 0
  #openAgain = 0

  constructor({ url, timeout, stats, concurrency, maxBytes = largestBody, pace = defaultPace }: RpcOptions) {
    this.#pace = pace
    this.host = new URL(url).host
    this.#stats = stats
    this.#timeout = timeout
    this.#transport = createTransport({ url, maxBytes, maxSockets: concurrency + 2 })
  }

  /** The result of one call. Throws RpcError if the node reports an error. */
  async call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const id = this.#nextId++
    const answer = await this.#exchange({ jsonrpc: '2.0', id, method, params }, signal, (value) => {
      const item = asAnswer(value)
      if (item.id !== id && !(item.id === null && item.error !== undefined)) {
        throw new RetryableError('malformed', `${this.host}: the answer to ${method} has another id`)
      }
      return this.#read(method, item)
    })
    if ('error' in answer) throw answer.error
    return answer.result
  }

  /** The outcomes of several calls, in the order of the calls, regardless of the order of the answers. */
  async batch(
    calls: readonly Call[],
    signal: AbortSignal,
    { mayBeTooLarge = false, onBytes }: BatchOptions = {},
  ): Promise<Outcome[]> {
    if (!this.#batches) return this.#oneByOne(calls, signal)
    const first = this.#nextId
    this.#nextId += calls.length
    const body = calls.map(([method, params], index) => ({
      jsonrpc: '2.0',
      id: first + index,
      method,
      params,
    }))
    return this.#exchange(body, signal, (value, bytes) => {
      onBytes?.(bytes)
      const refused = !Array.isArray(value) || (value.length === 1 && calls.length > 1)
      if (refused) {
        const answer: unknown = Array.isArray(value) ? value[0] : value
        return this.#refusedBatch(answer, mayBeTooLarge ? undefined : () => this.#oneByOne(calls, signal))
      }
      const outcomes: (Outcome | undefined)[] = calls.map(() => undefined)
      for (const entry of value) {
        const item = asAnswer(entry)
        const index = typeof item.id === 'number' ? item.id - first : -1
        const asked = calls[index]
        if (!asked || outcomes[index]) {
          throw new RetryableError('malformed', `${this.host}: the batch answer has a foreign id`)
        }
        outcomes[index] = this.#read(asked[0], item)
      }
      return outcomes.map((outcome, index) => {
        if (outcome) return outcome
        throw new RetryableError('malformed', `${this.host}: the batch answer lacks ${calls[index]?.[0]}`)
      })
    })
  }

  /** Delays all further requests, after an answer that arrived but failed a check. */
  slowDown(): void {
    this.#holdBack(performance.now(), undefined)
  }

  close(): void {
    this.#transport.close()
  }

  async #oneByOne(calls: readonly Call[], signal: AbortSignal): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    for (const [method, params] of calls) {
      try {
        outcomes.push({ result: await this.call(method, params, signal) })
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        outcomes.push({ error })
      }
    }
    return outcomes
  }

  /**
   * A node that does not support batches, or not of this size, answers with a single error. Then all calls are sent by
   * `oneByOne`, if given.
   */
  #refusedBatch(value: unknown, oneByOne: (() => Promise<Outcome[]>) | undefined): Promise<Outcome[]> {
    const item = asAnswer(value)
    if (item.error === undefined) {
      throw new RetryableError('malformed', `${this.host}: the batch answer is not complete`)
    }
    const error = this.#read('batch', item)
    if (oneByOne && 'error' in error && error.error.code === -32600) {
      this.#batches = false
      return oneByOne()
    }
    throw new RetryableError('rpc', `${this.host}: the batch was refused`)
  }

  #read(method: string, item: Answer): Outcome {
    if (item.error === undefined || item.error === null) return { result: item.result }
    const { code, message } = asError(item.error)
    if (code === -32005 || code === 429 || /rate limit|too many requests/i.test(message)) {
      throw new RetryableError('throttled', `${this.host}: ${method} is rate limited`)
    }
    return { error: new RpcError(method, code, this.#redact(message)) }
  }

  /** A node's error messages may contain its URL. */
  #redact(message: string): string {
    return message.replace(/[a-z]+:\/\/\S+/gi, this.host).slice(0, 300)
  }

  async #exchange<T>(
    body: unknown,
    signal: AbortSignal,
    read: (value: unknown, bytes: number) => T,
  ): Promise<Awaited<T>> {
    await this.#wait(signal)
    const started = performance.now()
    this.#stats.rpcRequests += 1
    try {
      const { status, headers, text } = await this.#post(JSON.stringify(body), signal)
      this.#stats.rpcBytes += text.length
      await yieldToEventLoop()
      const answer = await read(this.#parse(status, headers['retry-after'], text), text.length)
      this.#failures = 0
      return answer
    } catch (error) {
      if (error instanceof RetryableError && !signal.aborted) {
        this.#stats.rpcErrors[error.kind] += 1
        this.#holdBack(started, error.retryAfter)
      }
      throw error
    }
  }

  async #post(body: string, signal: AbortSignal): Promise<Exchange> {
    try {
      return await this.#transport.post(body, { timeout: this.#timeout, signal })
    } catch (error) {
      if (error instanceof ExchangeFailure)
        throw new RetryableError(error.kind, `${this.host}: ${error.message}`)
      throw error
    }
  }

  #parse(status: number, retryAfter: string | undefined, text: string): unknown {
    const options = { status, ...(retryAfter !== undefined && { retryAfter: readRetryAfter(retryAfter) }) }
    if (status === 429) throw new RetryableError('throttled', `${this.host} answered 429`, options)
    if (status === 401 || status === 403) {
      throw new FatalError(
        `${this.host} answered ${status}: check the key or the credentials in the node's URL`,
      )
    }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      const isHtml = /^\s*</.test(text)
      const isSuccess = status >= 200 && status < 300
      const hint = status === 404 || (isSuccess && isHtml) ? ": check the path of the node's URL" : ''
      if (isSuccess) {
        const what = isHtml ? 'HTML, not JSON' : 'something that is not JSON'
        throw new RetryableError('malformed', `${this.host} answered ${what}${hint}`, options)
      }
      throw new RetryableError('unavailable', `${this.host} answered ${status}${hint}`, options)
    }
    if (status >= 500) throw new RetryableError('unavailable', `${this.host} answered ${status}`, options)
    if (typeof value !== 'object' || value === null) {
      throw new RetryableError('malformed', `${this.host} answered ${status} without a JSON object`)
    }
    return value
  }

  async #wait(signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = this.#openAgain - performance.now()
      if (left <= 0) return
      await pause(left, signal)
      if (signal.aborted) throw new RetryableError('network', 'the request was cancelled')
    }
  }

  /** Concurrent requests that fail together increase the delay only once. */
  #holdBack(started: number, retryAfter: number | undefined): void {
    const now = performance.now()
    if (started >= this.#lastFailure) {
      this.#failures += 1
      this.#lastFailure = now
    }
    const own = delayAfter(this.#failures, this.#pace)
    this.#openAgain = Math.max(this.#openAgain, now + Math.min(retryAfter ?? own, 300_000))
  }
}

type Answer = { id?: unknown; result?: unknown; error?: unknown }

function asAnswer(value: unknown): Answer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RetryableError('malformed', 'a JSON-RPC answer is not an object')
  }
  if (!('result' in value) && !('error' in value)) {
    throw new RetryableError('malformed', 'a JSON-RPC answer has neither result nor error')
  }
  return value
}

function asError(value: unknown): { code: number; message: string } {
  if (typeof value !== 'object' || value === null) return { code: 0, message: String(value) }
  const code = 'code' in value && typeof value.code === 'number' ? value.code : 0
  const message = 'message' in value && typeof value.message === 'string' ? value.message : 'no message'
  return { code, message }
}

/** The milliseconds of a Retry-After header, which contains seconds or a date. */
function readRetryAfter(text: string): number {
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(text)
  return Number.isNaN(date) ? 1000 : Math.max(0, date - Date.now())
}
