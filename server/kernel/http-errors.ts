import { STATUS_CODES } from 'node:http'

/**
 * A failure with an HTTP status and a message for the caller (docs/api.md, Errors). All other errors become a
 * 500 without internal details.
 */
export class HttpError extends Error {
  readonly status: number
  /** The message for the caller: one text, or one per invalid field. */
  readonly detail: string | readonly string[]
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    detail: string | readonly string[],
    options: { headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(typeof detail === 'string' ? detail : detail.join('; '), { cause: options.cause })
    this.name = 'HttpError'
    this.status = status
    this.detail = detail
    this.headers = options.headers ?? {}
  }
}

/** 503: more than a process takes on at once. There may be many, so they are not logged one by one. */
export class OverloadError extends HttpError {
  constructor(reason: string) {
    super(503, `${reason}, try again later`, { headers: { 'retry-after': '1' } })
    this.name = 'OverloadError'
  }
}

/** 400: a parameter, the body or a page token is invalid. */
export function badRequest(detail: string | readonly string[]): HttpError {
  return new HttpError(400, detail)
}

/** 404: the resource does not exist here. */
export function notFound(detail: string): HttpError {
  return new HttpError(404, detail)
}

/** 503: the route cannot answer now, or not for this chain. */
export function unavailable(detail: string, cause?: unknown): HttpError {
  return new HttpError(503, detail, { cause })
}

/** The body of every failed request; a 500 also contains the request id. */
type ErrorAnswer = {
  message: string | string[]
  error: string
  statusCode: number
  requestId?: string
}

/** The error body of a status (docs/api.md, Errors). */
export function errorAnswer(status: number, detail: string | readonly string[]): ErrorAnswer {
  return {
    message: typeof detail === 'string' ? detail : [...detail],
    error: STATUS_CODES[status] ?? 'Error',
    statusCode: status,
  }
}
