import { errorBody, errorNames, notIndexedHeader } from '../../contract/base/errors.ts'
import { parseLossless } from '../../contract/base/json.ts'

/** The kinds of failures that pages and the retry rule distinguish. */
type FailureKind = 'status' | 'network' | 'late' | 'answer' | 'unsupported'

/**
 * A failed request. `status` is the HTTP status, 0 without an answer. `kind` tells whether the service refused, the
 * network failed, the answer was late or did not match the contract, or the deployment lacks the operation. Branch
 * on these, never on `message`.
 */
export class ApiError extends Error {
  readonly kind: FailureKind
  readonly status: number
  readonly requestId: string | undefined
  /** Seconds to wait before a retry, as the service asked (429 and 503). */
  readonly retryAfter: number | undefined
  /** The id of the operation that the deployment lacks. */
  readonly operation: string | undefined
  /** Of a 503: the chain whose index has not come so far, with its heights, as `notIndexedHeader` has them. */
  readonly behind: string | undefined

  constructor(
    kind: FailureKind,
    message: string,
    details: {
      status?: number
      name?: string
      requestId?: string
      retryAfter?: number
      operation?: string
      behind?: string
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: details.cause })
    this.kind = kind
    this.status = details.status ?? 0
    this.name = details.name ?? 'ApiError'
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.operation = details.operation
    this.behind = details.behind
  }
}

/** The error for a request that got no answer from the service. */
export const unreached = (cause: unknown): ApiError =>
  new ApiError('network', 'The service could not be reached.', { name: 'Network', cause })

/** The error for what a deployment does not offer, in words. */
export const refusal = (words: string, operation?: string): ApiError =>
  new ApiError('unsupported', words, {
    status: 501,
    name: 'Not offered',
    ...(operation !== undefined && { operation }),
  })

/** Whether the requested item does not exist. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether nothing has the id of a request: it is unknown (404), or no id at all (400). */
export const isUnknown = (error: unknown): boolean =>
  isNotFound(error) || (error instanceof ApiError && error.status === 400)

/** Whether the deployment does not offer the operation: not in its profile, or answered with 501. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'unsupported' || error.status === 501)
}

/** Whether the same request may succeed soon: there was no answer, or the service failed. Indexing takes longer. */
export function isTransient(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.behind) return false
  return error.kind === 'network' || error.kind === 'late' || (error.status >= 500 && error.status !== 501)
}

/** `retry-after` in seconds: a number, or a date. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

function reason(text: string): { message?: string; name?: string } {
  try {
    const body = errorBody.safeParse(parseLossless(text))
    if (!body.success) return {}
    const { message, error } = body.data
    return { message: Array.isArray(message) ? message.join('; ') : message, name: error }
  } catch {
    // An error page of a proxy is not JSON; its status is enough.
    return {}
  }
}

const names: Readonly<Record<number, string>> = {
  ...errorNames,
  501: 'Not Implemented',
  504: 'Gateway Timeout',
}

/** The error of an unsuccessful answer (docs/api.md, Errors), whatever its body. */
export async function errorOfAnswer(response: Response, now: number): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const body = reason(text)
  const requestId = response.headers.get('x-request-id')
  const retryAfter = parseRetryAfter(response.headers.get('retry-after'), now)
  const behind = response.status === 503 && response.headers.get(notIndexedHeader)
  const name = body.name ?? names[response.status] ?? 'Error'
  return new ApiError('status', body.message ?? `The service answered ${response.status}.`, {
    status: response.status,
    name,
    ...(requestId !== null && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(behind && { behind }),
  })
}
