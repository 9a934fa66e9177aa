import type { BodyOf, Operation, ParamsOf, QueryOf, ResponseOf } from '../../contract/base/operation.ts'
import type { Profile } from '../../contract/profile.ts'
import { parseLossless } from '../../contract/base/json.ts'
import { ApiError, errorOfAnswer, isTransient } from './errors.ts'

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
}

export type Client = {
  readonly profile: Profile
  readonly call: <O extends Operation>(operation: O, request?: Request<O>) => Promise<ResponseOf<O>>
}

const again = { failures: 2, limits: 4 }
const longestWait = 60

function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
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

/**
 * The URL of an operation: path parameters, then the query without undefined values. A list repeats its parameter.
 */
export function operationUrl(
  operation: Operation,
  profile: Profile,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const base = operation.api === 'metrics' ? profile.metricsUrl : profile.dataUrl
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`${operation.id} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of (Array.isArray(value) ? value : [value]) as (string | number | boolean | undefined)[])
      if (item !== undefined && item !== '') search.append(name, String(item))
  const text = search.toString()
  return `${base.replace(/\/$/, '')}${path}${text && `?${text}`}`
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
  const { profile, key, wait = waitFor, onRateLimit, onRequest, deadline = 20_000, now = Date.now } = options
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
      response = await fetch(url, {
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
      throw new ApiError('network', 'The service could not be reached.', { name: 'Network', cause: error })
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
    const lacking = lackingIn(profile, operation.id, params)
    if (lacking !== undefined)
      throw new ApiError('unsupported', `${profile.name} does not offer ${lacking}.`, {
        status: 501,
        name: 'Not offered',
      })
    const url = operationUrl(operation, profile, params, query)
    let failures = 0
    let limits = 0
    for (;;) {
      try {
        return (await attempt(operation, url, request as Request<Operation>)) as ResponseOf<O>
      } catch (error) {
        if (!(error instanceof ApiError) || operation.method !== 'GET') throw error
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

/** What the deployment lacks for a request: the operation, or the requested metric. */
function lackingIn(
  { missingOperations, metrics }: Profile,
  operationId: string,
  params: Readonly<Record<string, unknown>> = {},
): string | undefined {
  if (missingOperations.includes(operationId)) return operationId
  const { metric } = params
  if (metric === undefined || metrics === undefined) return undefined
  return metrics.includes(String(metric)) ? undefined : `the metric ${String(metric)}`
}
