/** Why an answer of a node could not be used; the label of the error counter. */
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

/** A failure that another attempt may mend: nothing was written, and asking again later is right. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError'
  readonly kind: FailureKind
  /** Milliseconds that the other side asked us to wait. */
  readonly retryAfter: number | undefined
  /** The HTTP status, where that was the failure. */
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

/** A failure that needs a person: the chain stops, and its message says which step helps. */
export class FatalError extends Error {
  override readonly name: string = 'FatalError'
}

/** Another process indexes the chain into this database; this one must end. */
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

  /** Whether the node does not have the method at all. */
  get unsupported(): boolean {
    return (
      this.code === -32601 ||
      /method.*(not (found|supported|available|exist)|does not exist)|unsupported method/i.test(this.message)
    )
  }
}

/** PostgreSQL's codes that no other attempt mends: the data or the program is wrong. */
const fatalStates = /^(22|23|42)/

/** Sorts any thrown value into one of the two classes. */
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
