/** Why a node's answer could not be used; the label of the error counter. */
export type FailureKind =
  | 'network'
  | 'timeout'
  | 'throttled'
  | 'unavailable'
  | 'malformed'
  | 'tooLarge'
  | 'rpc'
  | 'refused'
  | 'store'
  | 'disagreement'

/** A failure that may be resolved by retrying: nothing was written. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError'
  readonly kind: FailureKind
  /** Milliseconds that the other side asked to wait. */
  readonly retryAfter: number | undefined
  /** The HTTP status if it was the cause. */
  readonly status: number | undefined
  constructor(
    kind: FailureKind,
    message: string,
    options: { retryAfter?: number; status?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.retryAfter = options.retryAfter
    this.status = options.status
  }
}

/** A failure that requires an operator: the chain stops, and the message says what to do. */
export class FatalError extends Error {
  override readonly name: string = 'FatalError'
}

/** Another process indexes the chain into this database, so this one must end. */
export class LockedError extends FatalError {
  override readonly name = 'LockedError'
}

/** An error that a node reported inside a well-formed JSON-RPC answer. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`)
    this.code = code
  }

  /** Whether the node does not support the method. */
  get unsupported(): boolean {
    return (
      this.code === -32601 ||
      /method.*(not (found|supported|available|exist)|does not exist)|unsupported method/i.test(this.message)
    )
  }
}

/** PostgreSQL error codes that a retry cannot resolve: the data or the program is wrong. */
const fatalStates = /^(22|23|42)/

/** Converts any thrown value to one of the two classes. */
export function classify(error: unknown): RetryableError | FatalError {
  if (error instanceof RetryableError || error instanceof FatalError) return error
  if (error instanceof RpcError) return new RetryableError('rpc', error.message, { cause: error })
  const message = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  if (code !== undefined && !fatalStates.test(code)) {
    return new RetryableError('store', `the database answered ${code}: ${message}`, { cause: error })
  }
  return new FatalError(`unexpected failure: ${message}`, { cause: error })
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
