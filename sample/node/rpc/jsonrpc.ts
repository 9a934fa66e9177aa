/** One call of JSON-RPC 2.0 as it arrived. */
export type RpcRequest = {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method: string
  readonly params?: unknown
}

/** One answer. */
export type RpcAnswer = {
  readonly jsonrpc: '2.0'
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** An answer that says what went wrong. */
export function failure(id: unknown, code: number, message: string): RpcAnswer {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } }
}

/** The value as a call, or undefined when it lacks the version or the method. */
export function asRequest(value: unknown): RpcRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = value as Partial<RpcRequest>
  return found.jsonrpc === '2.0' && typeof found.method === 'string' ? (found as RpcRequest) : undefined
}
