import type { RpcAnswer, RpcRequest } from '../rpc/jsonrpc.ts'
import { failure } from '../rpc/jsonrpc.ts'

/** Methods of a chain that its EVM node does not have; undefined for a call that is none of them. */
export type LocalMethods = (request: RpcRequest) => Promise<RpcAnswer> | undefined

/** One of them. It gets the call's parameters and gives the result; throw `MethodError` to answer with an error. */
export type LocalMethod = (params: readonly unknown[]) => unknown

/** The call fails; code and message are the node's. */
export class MethodError extends Error {
  override readonly name = 'MethodError'
  readonly code: number

  constructor(message: string, code = -32000) {
    super(message)
    this.code = code
  }
}

/** The parameter at `index` is not what the method takes. */
export function badParam(index: number, why: string): MethodError {
  return new MethodError(`invalid argument ${index}: ${why}`, -32602)
}

/** What JSON calls the kind of a value, as the node's decoder names it in its errors. */
export function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  return { boolean: 'bool', number: 'number', string: 'string' }[typeof value as string] ?? 'object'
}

/** Serves methods by their names. */
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
