/** Error codes of JSON-RPC 2.0 and those that nodes add. */
export const rpcCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  /** Any other failure, as nodes report it. */
  general: -32000,
  /** More than a limit allows. */
  limit: -32005,
} as const

/** The JSON of the id when a call has no readable id. */
export const noId = 'null'

/** The text of a JSON-RPC error. `id` is the JSON of the call's own id. */
export function errorText(id: string, code: number, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${JSON.stringify(message)}}}`
}

/** The refusal of a call, or of all calls of one message. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  /** The status of the HTTP answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  constructor(
    code: number,
    message: string,
    options: {
      readonly status?: number
      readonly headers?: Readonly<Record<string, string>>
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = code
    this.status = options.status ?? 200
    this.headers = options.headers ?? {}
  }

  /** The answer's body for the call with this id. */
  text(id: string): string {
    return errorText(id, this.code, this.message)
  }
}

/** 503: a limit of concurrent calls or open connections is reached. */
export function overloaded(message: string): Refusal {
  return new Refusal(rpcCodes.limit, message, { status: 503, headers: { 'retry-after': '1' } })
}
