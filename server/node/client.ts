import { evictOldest } from '../kernel/evict-oldest.ts'
import { NodeRefusal, NodeUnavailable, type NodeFailure, type RpcErrorText } from './failures.ts'
import { createTransport, ExchangeFailure, type Exchange, type Transport } from './transport.ts'

export type NodeClientOptions = {
  readonly url: string
  /** The name used in error messages to callers. */
  readonly chainName: string
  /** Timeout of one call in milliseconds, including its wait for a free slot. */
  readonly timeout: number
  /** Maximum number of concurrent calls; others wait. */
  readonly concurrency?: number
  /** Maximum number of waiting calls; further ones fail at once. */
  readonly maxWaiting?: number
  /** Maximum bytes of one answer. */
  readonly maxBytes?: number
  /**
   * Milliseconds for which an answer is reused for equal calls, and for which an unresponsive node is not
   * asked again.
   */
  readonly keepFor?: number
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

type Kept = { readonly until: number; readonly answer: Promise<unknown> }

/** Failures of a node that does answer: they say nothing about the next call. */
const answered: ReadonlySet<NodeFailure> = new Set(['malformed', 'tooLarge', 'refused'])

/** Maximum number of cached answers; the oldest is evicted first. */
const maxKept = 512

/**
 * Calls one chain's node on behalf of a waiting request. Equal calls share one answer for a short time. A
 * node that does not answer is not asked again for the same time, so that a page with many calls fails
 * quickly. Calls are never retried automatically. Rejects with NodeUnavailable (502), or NodeRefusal for an
 * error that the node reported.
 */
export class NodeClient {
  readonly chainName: string
  readonly #options: Required<NodeClientOptions>
  readonly #transport: Transport
  readonly #secrets: readonly string[]
  readonly #kept = new Map<string, Kept>()
  readonly #waiting: (() => void)[] = []
  #underway = 0
  #nextId = 1
  #silent: { readonly until: number; readonly failure: NodeUnavailable } | undefined

  constructor(options: NodeClientOptions) {
    this.#options = {
      concurrency: 16,
      maxWaiting: 1_024,
      maxBytes: 8 * 1024 * 1024,
      keepFor: 500,
      now: () => performance.now(),
      ...options,
    }
    this.chainName = options.chainName
    this.#secrets = secretsOf(options.url)
    this.#transport = createTransport({
      url: options.url,
      maxBytes: this.#options.maxBytes,
      maxSockets: this.#options.concurrency,
    })
  }

  /** The result of one JSON-RPC call. */
  call(method: string, params: readonly unknown[]): Promise<unknown> {
    const now = this.#options.now()
    const key = JSON.stringify([method, params])
    const kept = this.#kept.get(key)
    if (kept && kept.until > now) return kept.answer
    if (this.#silent && this.#silent.until > now) return Promise.reject(this.#silent.failure)
    const answer = this.#ask(method, params)
    this.#keep(key, answer)
    return answer
  }

  /** Closes idle connections. */
  close(): void {
    this.#transport.close()
  }

  #keep(key: string, answer: Promise<unknown>): void {
    this.#kept.delete(key)
    this.#kept.set(key, { until: Number.POSITIVE_INFINITY, answer })
    const settle = (kept: boolean): void => {
      if (this.#kept.get(key)?.answer !== answer) return
      this.#kept.delete(key)
      if (kept) this.#kept.set(key, { until: this.#options.now() + this.#options.keepFor, answer })
    }
    answer.then(
      () => settle(true),
      () => settle(false),
    )
    evictOldest(this.#kept, maxKept)
  }

  async #ask(method: string, params: readonly unknown[]): Promise<unknown> {
    const { now, timeout } = this.#options
    const deadline = now() + timeout
    await this.#place(method)
    try {
      const left = deadline - now()
      if (left <= 0) throw this.#failure('timeout', `${method} waited too long`)
      const id = this.#nextId++
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const result = this.#read(method, id, await this.#transport.post(body, { timeout: left }))
      this.#silent = undefined
      return result
    } catch (error) {
      const failure = error instanceof ExchangeFailure ? this.#failure(error.kind, error.message) : error
      if (failure instanceof NodeUnavailable && !answered.has(failure.kind)) {
        this.#silent = { until: now() + this.#options.keepFor, failure }
      }
      throw failure
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#underway -= 1
    }
  }

  /** Acquires a slot, or waits until another call hands its slot over. */
  async #place(method: string): Promise<void> {
    if (this.#underway < this.#options.concurrency) {
      this.#underway += 1
      return
    }
    if (this.#waiting.length >= this.#options.maxWaiting) {
      throw this.#failure('busy', `${method}: too many calls wait`)
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #failure(kind: NodeFailure, detail: string): NodeUnavailable {
    return new NodeUnavailable(this.chainName, kind, detail)
  }

  #read(method: string, id: number, { status, text }: Exchange): unknown {
    if (status === 429) throw this.#failure('throttled', 'answered 429')
    if (status >= 500 || status === 401 || status === 403) {
      throw this.#failure('network', `answered ${status}`)
    }
    const answer = parseObject(text)
    if (!answer) throw this.#failure('malformed', `answered ${status} without a JSON object`)
    const failed = answer['error'] !== undefined && answer['error'] !== null
    if (answer['id'] !== id && !(failed && (answer['id'] ?? null) === null)) {
      throw this.#failure('malformed', `the answer to ${method} has another id`)
    }
    if (failed) {
      const error = this.#readError(answer['error'])
      if (error.code === -32005 || error.code === 429 || /rate limit|too many requests/i.test(error.reason)) {
        throw this.#failure('throttled', `${method} is rate limited`)
      }
      throw new NodeRefusal(this.chainName, method, error)
    }
    if (answer['result'] === undefined) throw this.#failure('malformed', `${method} has no result`)
    return answer['result']
  }

  #readError(value: unknown): RpcErrorText {
    const error = typeof value === 'object' && value !== null ? value : {}
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
    // Some nodes nest the bytes of a revert one level deeper.
    const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    return {
      code: typeof code === 'number' ? code : 0,
      reason: this.#redact(typeof message === 'string' ? message : 'no message'),
      data:
        typeof inner === 'string' && /^0x([0-9a-f]{2})*$/i.test(inner) ? (inner as `0x${string}`) : undefined,
    }
  }

  /** A node's error messages may contain its URL or the key in it. */
  #redact(message: string): string {
    let text = message.slice(0, 2_000).replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, 'the node')
    for (const secret of this.#secrets) text = text.replaceAll(secret, '…')
    return text.slice(0, 300)
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    // Invalid JSON is as unusable as a list or a number.
    return undefined
  }
}

/** All parts of a URL that may be a key: credentials, query values, long path segments. */
function secretsOf(url: string): string[] {
  const { username, password, searchParams, pathname } = new URL(url)
  const parts = [username, password, ...searchParams.values(), ...pathname.split('/')]
  return parts.flatMap((part) => [part, decoded(part)]).filter((part) => part.length >= 8)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign without an escape is literal.
    return part
  }
}
