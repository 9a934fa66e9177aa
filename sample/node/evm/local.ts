import { failure, type RpcAnswer, type RpcRequest } from '../rpc/jsonrpc.ts'

/** Methods that a chain's EVM node does not have; returns undefined for any other method. */
export type LocalMethods = (request: RpcRequest) => Promise<RpcAnswer> | undefined

/** Maps a call's parameters to its result. Throws `MethodError` to answer with an error. */
export type LocalMethod = (params: readonly unknown[]) => unknown

/** Fails the call with the node's code and message. */
export class MethodError extends Error {
  override readonly name = 'MethodError'
  readonly code: number

  constructor(message: string, code = -32000) {
    super(message)
    this.code = code
  }
}

/** The error for a wrong parameter at `index`. */
export function badParam(index: number, why: string): MethodError {
  return new MethodError(`invalid argument ${index}: ${why}`, -32602)
}

/** The JSON type of a value, as the node's decoder names it in errors. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return { boolean: 'bool', number: 'number', string: 'string' }[typeof value as string] ?? 'object'
}

/** Serves methods by name. */
export function localMethods(methods: Readonly<Record<string, LocalMethod>>): LocalMethods {
  async function run(request: RpcRequest, method: LocalMethod): Promise<RpcAnswer> {
    const { id, params } = request
    try {
      if (params !== undefined && params !== null && !Array.isArray(params)) {
        throw new MethodError('non-array args', -32602)
      }
      const result = await method((params ?? []) as readonly unknown[])
      return { jsonrpc: '2.0', id: id ?? null, result: result ?? null }
    } catch (error) {
      if (error instanceof MethodError) return failure(id, error.code, error.message)
      throw error
    }
  }

  return (request) => {
    if (!Object.hasOwn(methods, request.method)) return undefined
    const method = methods[request.method]
    return method === undefined ? undefined : run(request, method)
  }
}
