import {
  requestPath,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from '../../contract/base/operation.ts'
import { hasOperation, type Profile } from '../../contract/profile.ts'
import { parseLossless } from '../../contract/base/json.ts'
import { ApiError, errorOfAnswer, isTransient, refusal, unreached } from './errors.ts'

/** The input of a call: path parameters, query, body, more headers, and a signal that cancels it. */
export type Request<O extends Operation> = {
  params?: ParamsOf<O>
  query?: QueryOf<O>
  body?: BodyOf<O>
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

type ClientOptions = {
  profile: Profile
  /** The user's API key; sent in the profile's header. */
  key?: string | undefined
  /** Waits between attempts, in milliseconds; rejects when the signal aborts. */
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Called with the seconds of a rate limit before the client waits. */
  onRateLimit?: (seconds: number) => void
  /** Called when a GET starts. The returned function receives the outcome: `left` when the caller gave up. */
  onRequest?: () => (outcome: 'answered' | 'failed' | 'left') => void
  /** Milliseconds within which the answer to a GET must start. */
  deadline?: number
  now?: () => number
  /**
   * Called with a refusal that may mean that the service has no such route (404, 405 or 501), and the URL; resolves with
   * what to throw.
   */
  onRefused?: (operation: Operation, url: string, error: ApiError) => Promise<ApiError>
  /** Called when an operation was answered. */
  onAnswered?: (operation: Operation) => void
}

/** The statuses that services send for a route that they do not have. */
const routeless = new Set([404, 405, 501])

export type Client = {
  readonly profile: Profile
  readonly call: <O extends Operation>(operation: O, request?: Request<O>) => Promise<ResponseOf<O>>
}

/**
 * What sends requests, also those to nodes. The service draws pages by their own queries, and answers them itself
 * (prerender.tsx).
 */
export const transport: { send: (url: string, init?: RequestInit) => Promise<Response> } = {
  send: (url, init) => fetch(url, init),
}

const again = { failures: 2, limits: 4 }
const longestWait = 60

/** Waits so many milliseconds; rejects with the reason of a signal that aborts. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** The URL of an operation in a deployment, with path parameters and query (`requestPath`). */
export function operationUrl(
  operation: Operation,
  profile: Profile,
  params?: Readonly<Record<string, unknown>>,
  query?: Readonly<Record<string, unknown>>,
): string {
  const base = operation.api === 'metrics' ? profile.metricsUrl : profile.dataUrl
  return `${base.replace(/\/$/, '')}${requestPath(operation, params, query)}`
}

/** The body in the shape of the API reference. Only hosted deployments differ, so only they load the conversion. */
async function inOurShape(operationId: string, body: unknown, profile: Profile): Promise<unknown> {
  if (profile.priceValue === 'string' && profile.holderSortKey === 'integer') return body
  const { normalise } = await import('./normalise.ts')
  return normalise(operationId, body, profile)
}

/**
 * Creates a client of one deployment. `call` sends an operation of the contract and parses the answer; every failure
 * is an `ApiError`. A GET fails when its answer does not start within the deadline; network failures and 5xx are
 * retried twice, 429 waits as long as the service asks, any other 4xx fails at once. A POST is sent once: it may
 * have taken effect, and its 429 may mean an hour. An abort rejects with the signal's reason.
 */
export function createClient(options: ClientOptions): Client {
  const { profile, key, wait = pause, onRateLimit, onRequest, onRefused, onAnswered } = options
  const { deadline = 20_000, now = Date.now } = options
  async function attempt(
    operation: Operation,
    url: string,
    { body, headers, signal }: Request<Operation>,
  ): Promise<unknown> {
    let response: Response
    let text: string
    const isGet = operation.method === 'GET'
    const settle = isGet ? onRequest?.() : undefined
    const late = new AbortController()
    const timer = isGet ? setTimeout(() => late.abort(), deadline) : undefined
    try {
      response = await transport.send(url, {
        method: operation.method,
        headers: {
          accept: 'application/json',
          ...(key && { [profile.keyHeader]: key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // Otherwise the browser would take the answer that the document names (contract/pages.ts), which it has
        // requested without the key.
        ...(key && { credentials: 'omit' }),
        // A redirect would take the key to another place.
        ...(key && { redirect: 'error' }),
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      })
      settle?.('answered')
      clearTimeout(timer)
      if (!response.ok) throw await errorOfAnswer(response, now())
      text = await response.text()
    } catch (error) {
      if (error instanceof ApiError) throw error
      settle?.(signal?.aborted ? 'left' : 'failed')
      clearTimeout(timer)
      signal?.throwIfAborted()
      if (late.signal.aborted)
        throw new ApiError('late', `The service has not answered for ${deadline / 1000} s.`, {
          name: 'No answer',
        })
      throw unreached(error)
    }
    try {
      // Some successful answers have no body, for example that of a reindex.
      const content = text === '' ? undefined : parseLossless(text)
      return operation.response.parse(await inOurShape(operation.id, content, profile))
    } catch (cause) {
      const requestId = response.headers.get('x-request-id')
      throw new ApiError('answer', `Unexpected response from ${operation.id}.`, {
        status: response.status,
        name: 'Unreadable answer',
        cause,
        ...(requestId !== null && { requestId }),
      })
    }
  }

  async function call<O extends Operation>(operation: O, request: Request<O> = {}): Promise<ResponseOf<O>> {
    const { params, query, signal } = request
    const { metric } = (params ?? {}) as { readonly metric?: unknown }
    // Pages of most deployments never need these words.
    if (!hasOperation(profile, operation.id)) throw (await import('./lacking.ts')).notOffered(operation)
    if (metric !== undefined && profile.metrics?.includes(String(metric)) === false)
      throw refusal(`This service does not offer the metric ${String(metric)}.`)
    const url = operationUrl(operation, profile, params, query)
    let failures = 0
    let limits = 0
    for (;;) {
      try {
        const answer = (await attempt(operation, url, request as Request<Operation>)) as ResponseOf<O>
        onAnswered?.(operation)
        return answer
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (routeless.has(error.status)) throw (await onRefused?.(operation, url, error)) ?? error
        if (operation.method !== 'GET') throw error
        if (error.status === 429 && limits < again.limits) {
          const seconds = Math.min(longestWait, Math.max(1, error.retryAfter ?? 2 ** limits))
          limits += 1
          onRateLimit?.(seconds)
          await wait(seconds * 1000, signal)
          continue
        }
        // A timeout is reported without a retry; the page refetches when the service is back.
        if (!isTransient(error) || error.kind === 'late' || failures >= again.failures) throw error
        failures += 1
        await wait(
          error.retryAfter ? Math.min(longestWait, error.retryAfter) * 1000 : 300 * 3 ** failures,
          signal,
        )
      }
    }
  }

  return { profile, call }
}
