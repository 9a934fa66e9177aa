import { readBody, sendJson, sendText } from './front.ts'
import type { Handler } from './front.ts'

/** A method's result. Throw `ServiceError` to answer with an error. */
export type ServiceMethod = (params: Readonly<Record<string, unknown>>) => unknown

/** An error with the node's text. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** The arguments were not what the method takes. */
export class ArgumentError extends ServiceError {
  constructor() {
    super(
      "couldn't unmarshal an argument. Ensure arguments are valid and properly formatted. See documentation for example calls",
    )
  }
}

interface Call {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

function capitalised(method: string): string {
  const dot = method.indexOf('.') + 1
  return method.slice(0, dot) + method.charAt(dot).toUpperCase() + method.slice(dot + 1)
}

function fault(code: number, message: string, id: unknown, call: Call | null): unknown {
  const data = {
    jsonrpc: call?.jsonrpc ?? '',
    method: call?.method ?? '',
    params: call?.params ?? null,
    id: call?.id ?? null,
  }
  return { jsonrpc: '2.0', error: { code, message, data: code === -32000 ? null : data }, id: id ?? null }
}

/**
 * Serves the node's own services (`info.…`, `health.…`; not the EVM), which speak JSON-RPC without batches and answer
 * every failure with −32000. `get` answers GET, where a service does so; the others say 405.
 */
export function json2Handler(
  service: string,
  methods: Readonly<Record<string, ServiceMethod>>,
  get?: Handler,
): Handler {
  const table = new Map(Object.entries(methods))

  function answer(call: Call): unknown {
    if (call.jsonrpc !== '2.0') return fault(-32600, 'jsonrpc must be 2.0', call.id, call)
    const method = typeof call.method === 'string' ? call.method : ''
    const [prefix = '', name = ''] = method.split('.', 2)
    if (/^[A-Z]/.test(name))
      return fault(-32000, 'method must start with a non-uppercase letter', call.id, null)
    if (prefix !== service) {
      return fault(-32000, `rpc: can't find service "${capitalised(method)}"`, call.id, null)
    }
    const found = table.get(name)
    if (found === undefined) {
      return fault(-32000, `rpc: can't find method "${capitalised(method)}"`, call.id, null)
    }
    const given = Array.isArray(call.params) ? (call.params as readonly unknown[]) : [call.params ?? {}]
    const params = given[0] ?? {}
    try {
      if (given.length > 1 || typeof params !== 'object') throw new ArgumentError()
      return { jsonrpc: '2.0', result: found(params as Record<string, unknown>), id: call.id }
    } catch (error) {
      if (error instanceof ServiceError) return fault(-32000, error.message, call.id, null)
      throw error
    }
  }

  return async (request, response) => {
    if (request.method === 'GET' && get !== undefined) {
      request.resume()
      await get(request, response)
      return
    }
    if (request.method !== 'POST') {
      request.resume()
      sendText(response, 405, `rpc: POST method required, received ${request.method ?? ''}`)
      return
    }
    const type = request.headers['content-type'] ?? ''
    if (!/^application\/json\b/i.test(type)) {
      request.resume()
      sendText(response, 415, `rpc: unrecognized Content-Type: ${type}`)
      return
    }
    const body = await readBody(request)
    let call: Call | null
    try {
      call = JSON.parse(body.toString('utf8')) as Call | null
    } catch {
      sendJson(response, fault(-32700, 'unexpected EOF', null, {}))
      return
    }
    if (typeof call !== 'object' || call === null || Array.isArray(call)) {
      const kind = Array.isArray(call) ? 'array' : typeof call
      const message = `json: cannot unmarshal ${kind} into Go value of type json2.serverRequest`
      sendJson(response, fault(-32700, message, null, {}))
      return
    }
    const answered = answer(call)
    // A call without an id is a notification: it is run and not answered.
    if (call.id === undefined) response.writeHead(200).end()
    else sendJson(response, answered)
  }
}
