import type { ServerResponse } from 'node:http'
import { type Handler, readBody, sendText } from '../../kernel/front.ts'
import { writeJson } from './go-json.ts'
import { isAnswer, type NodeHook } from './hook.ts'
import type { RpcAnswer, RpcRequest } from './jsonrpc.ts'
import { ArgumentError } from './service-errors.ts'

/** A call's parameters by name; read them with the functions of args.ts. */
export type Params = Readonly<Record<string, unknown>>

/** A method's result. Throw `ServiceError` to answer with an error. */
type ServiceMethod = (params: Params) => unknown

/** A service's methods by name, without the service's prefix. */
export type Methods = Readonly<Record<string, ServiceMethod>>

/** One of the node's own services. */
type Json2Service = {
  /** The part of a method's name before the dot. */
  readonly name: string
  /** A promise while the chain is being built: calls wait for it. */
  readonly methods: Methods | Promise<Methods>
  /** Answers GET; without it GET is answered with 405. */
  readonly get?: Handler
  /** Lets tests make the service misbehave, under this name. */
  readonly hook?: { readonly of: NodeHook | undefined; readonly chain: string }
}

type Call = {
  readonly jsonrpc?: unknown
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
}

const bodyLimit = 64 * 1024 * 1024

const goKinds: Readonly<Record<string, string>> = { boolean: 'bool', number: 'number', string: 'string' }

function capitalised(method: string): string {
  const dot = method.indexOf('.') + 1
  if (dot === 0) return method
  return method.slice(0, dot) + method.charAt(dot).toUpperCase() + method.slice(dot + 1)
}

/** The error for an unknown method. */
export function cannotFind(method: string): string {
  return `rpc: can't find method ${JSON.stringify(capitalised(method))}`
}

function fault(code: number, message: string, call: Call | undefined, id: unknown): RpcAnswer {
  const data =
    call === undefined
      ? null
      : {
          jsonrpc: call.jsonrpc ?? '',
          method: call.method ?? '',
          params: call.params ?? null,
          id: call.id ?? null,
        }
  return { jsonrpc: '2.0', error: { code, message, data }, id: id ?? null }
}

/** The node's error for a body that is not JSON: it names the first character that starts no value. */
function parseFault(text: string): string {
  const first = text.trimStart().charAt(0)
  if (first === '') return 'EOF'
  if (/[[{"\-0-9tfn]/.test(first)) return 'unexpected EOF'
  return `invalid character '${first}' looking for beginning of value`
}

function refusalOf(service: Json2Service, methods: Methods, { method }: RpcRequest): string | undefined {
  const [prefix = '', name, ...rest] = method.split('.')
  if (/^\p{Lu}/u.test(name ?? '')) return 'method must start with a non-uppercase letter'
  if (name === undefined || rest.length > 0) {
    return `rpc: service/method request ill-formed: ${JSON.stringify(capitalised(method))}`
  }
  if (prefix !== service.name) {
    return `rpc: can't find service ${JSON.stringify(capitalised(method))}`
  }
  return Object.hasOwn(methods, name) ? undefined : cannotFind(method)
}

/** The parameters: absent, an object, or a list whose first element is one. */
function paramsOf({ params }: RpcRequest): Params {
  const given = Array.isArray(params) ? ((params as readonly unknown[])[0] ?? {}) : (params ?? {})
  if (typeof given !== 'object' || Array.isArray(given)) throw new ArgumentError()
  return given as Params
}

/** Runs a call. A `ServiceError` is answered with its message, which is the node's; any other error with our own. */
async function run(service: Json2Service, request: RpcRequest): Promise<RpcAnswer> {
  try {
    const methods = await service.methods
    const refusal = refusalOf(service, methods, request)
    if (refusal !== undefined) return fault(-32000, refusal, undefined, request.id)
    const method = methods[request.method.slice(service.name.length + 1)]
    return { jsonrpc: '2.0', result: await method?.(paramsOf(request)), id: request.id }
  } catch (error) {
    return fault(-32000, error instanceof Error ? error.message : String(error), undefined, request.id)
  }
}

/** The call in a body, or the answer to an invalid body. */
function readCall(text: string): RpcRequest | RpcAnswer {
  let call: Call | null
  try {
    call = JSON.parse(text) as Call | null
  } catch {
    return fault(-32700, parseFault(text), {}, null)
  }
  if (call !== null && (typeof call !== 'object' || Array.isArray(call))) {
    const kind = Array.isArray(call) ? 'array' : goKinds[typeof call]
    const message = `json: cannot unmarshal ${kind} into Go value of type json2.serverRequest`
    return fault(-32700, message, {}, null)
  }
  const { jsonrpc, id, method, params } = call ?? {}
  if (jsonrpc !== '2.0') return fault(-32600, 'jsonrpc must be 2.0', call ?? {}, id)
  return { jsonrpc, id, method: typeof method === 'string' ? method : '', params }
}

function send(response: ServerResponse, body: Buffer): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
  response.writeHead(200, headers).end(body)
}

/**
 * Serves one of the node's own services (all but the EVM): JSON-RPC without batches, code −32000 for every failure,
 * u64 as strings. A body that is not JSON is −32700, one without the version −32600, another content type 415,
 * another HTTP method 405. A call without an id runs and is answered with an empty body.
 */
export function json2Handler(service: Json2Service): Handler {
  return async (request, response) => {
    if (request.method === 'GET' && service.get !== undefined) {
      request.resume()
      await service.get(request, response)
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
    const call = readCall((await readBody(request, bodyLimit)).toString('utf8'))
    if (isAnswer(call)) {
      send(response, Buffer.from(writeJson(call)))
      return
    }
    const { of: hook, chain } = service.hook ?? {}
    const interference = chain === undefined ? undefined : await hook?.begin(chain, [call], 'http')
    if (interference?.refuse !== undefined) {
      interference.refuse(response)
      return
    }
    const changed = interference?.before?.(call) ?? call
    const found = isAnswer(changed) ? changed : await run(service, changed)
    const answer = interference?.after?.(call, found) ?? found
    if (call.id === undefined) {
      response.writeHead(200).end()
      return
    }
    const body = Buffer.from(writeJson(answer))
    if (interference?.deliver === undefined) send(response, body)
    else interference.deliver(body, response)
  }
}
