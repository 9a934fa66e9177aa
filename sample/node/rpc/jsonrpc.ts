/** One call of JSON-RPC 2.0 as it arrived. */
export type RpcRequest = {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method: string
  readonly params?: unknown
}

/** The answer to one call. */
export type RpcAnswer = {
  readonly jsonrpc: '2.0'
  readonly id: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** An error answer. */
export function failure(id: unknown, code: number, message: string): RpcAnswer {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } }
}

/** The value as a call; undefined when the version or the method is missing. */
export function asRequest(value: unknown): RpcRequest | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const found = value as Partial<RpcRequest>
  return found.jsonrpc === '2.0' && typeof found.method === 'string' ? (found as RpcRequest) : undefined
}
