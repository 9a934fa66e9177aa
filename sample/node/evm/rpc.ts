import http from 'node:http'
import type { EvmEndpoint } from './endpoint.ts'
import { MethodError } from './local.ts'
import { logsRequest } from './logs.ts'
import { publicMethods } from './methods.ts'
import { ownMethods, unknownMethod } from './own.ts'
import { type ChainFacts, localAnswer, needsTranslation, translate } from './pruned.ts'
import { mayBeAhead } from './states.ts'
import { withHeadTags } from './tags.ts'
import { type Handler, readBody, sendText } from '../../kernel/front.ts'
import { isHex } from '../../kernel/hex.ts'
import { RpcError } from '../../evm/anvil/rpc.ts'
import { type Interference, isAnswer, type NodeHook } from '../rpc/hook.ts'
import { asRequest, failure, type RpcAnswer, type RpcRequest } from '../rpc/jsonrpc.ts'

/** A node's answer for a chain that is not bootstrapped; also used while a chain restarts. */
const down = 'API call rejected because chain is not done bootstrapping\n'

/** The chain's node failed and is restarting. */
class ChainDownError extends Error {
  override readonly name = 'ChainDownError'
}

const connectionCodes: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Whether the chain's node could not be reached. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && 'code' in error && connectionCodes.has(error.code)
}

/** Answers calls to one chain, over HTTP and websocket. */
export type EvmCaller = {
  /** The answer's bytes to a parsed body; undefined for a notification. Rejects while the chain's node is down. */
  answer(payload: unknown, original: Buffer, interference?: Interference): Promise<Buffer | undefined>
  close(): void
}

/** The most calls in one batch. */
export const batchLimit = 1000

/** A caller that passes public methods on to the chain's node. */
export function createEvmCaller(endpoint: EvmEndpoint): EvmCaller {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 16, noDelay: true })
  const own = ownMethods(endpoint)

  async function forward(body: Buffer): Promise<Buffer> {
    const { anvil } = await endpoint.chain
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': body.length }
      const target = { host: '127.0.0.1', port: anvil.port, method: 'POST', agent, headers }
      const request = http.request(target, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => resolve(Buffer.concat(chunks)))
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  async function forwardParsed(given: RpcRequest): Promise<RpcAnswer> {
    const ready = await prepared(given)
    if (isAnswer(ready)) return ready
    const head = (await endpoint.chain).head.number
    const request = await own.asOfBlock(ready, head)
    const bytes = await forward(Buffer.from(JSON.stringify({ ...request, id: request.id ?? null })))
    const answer = JSON.parse(bytes.toString('utf8')) as RpcAnswer
    if (needsTranslation(bytes)) return translate(request, answer, await factsOf())
    return withExtraData(request, await own.corrected(request, head, answer))
  }

  /** Whether the call or the node's answer must be parsed because one of them changes. */
  async function needsReading(request: RpcRequest | undefined): Promise<boolean> {
    if (request?.method === 'eth_getLogs') return true
    if (request !== undefined && endpoint.extraData !== undefined && mayBeAhead(request)) return true
    if (request !== undefined && withHeadTags(request) !== request) return true
    return mayHoldMore(request)
  }

  /** Whether the answer is about a block that may have atomic transactions, which the node's bytes lack. */
  async function mayHoldMore(request: RpcRequest | undefined): Promise<boolean> {
    if (endpoint.extraData === undefined || !request?.method.startsWith('eth_getBlockBy')) return false
    const extraData = await endpoint.extraData
    const asked: unknown = Array.isArray(request.params) ? request.params[0] : undefined
    const isNumber = request.method === 'eth_getBlockByNumber' && isHex(asked)
    return !isNumber || extraData(Number(asked)) !== undefined
  }

  async function withExtraData(request: RpcRequest, answer: RpcAnswer): Promise<RpcAnswer> {
    if (endpoint.extraData === undefined || !request.method.startsWith('eth_getBlockBy')) return answer
    const block = answer.result as { readonly number?: unknown } | null | undefined
    const bytes = isHex(block?.number) ? (await endpoint.extraData)(Number(block.number)) : undefined
    if (bytes === undefined) return answer
    const blockExtraData = `0x${Buffer.from(bytes).toString('hex')}`
    return { ...answer, result: { ...block, blockExtraData } }
  }

  async function factsOf(): Promise<ChainFacts> {
    const { head, anvil } = await endpoint.chain
    return {
      head: head.number,
      async stateRootOf(block) {
        const byHash = typeof block === 'string' && block.length === 66
        const method = byHash ? 'eth_getBlockByHash' : 'eth_getBlockByNumber'
        const found = (await anvil.rpc.call(method, block, false)) as { stateRoot?: string } | null
        return found?.stateRoot
      },
    }
  }

  /** The answer to a call that does not reach the chain's node; undefined for all others. */
  async function ownAnswer(request: RpcRequest | undefined, raw: unknown): Promise<RpcAnswer | undefined> {
    if (request === undefined) return failure((raw as { id?: unknown } | null)?.id, -32600, 'invalid request')
    const found = own.answer(request) ?? endpoint.warp?.(request)
    if (found !== undefined) return found
    if (isObject(request.params)) return failure(request.id, -32602, 'non-array args')
    const { head } = await endpoint.chain
    const local = localAnswer(request, head.number)
    if (local !== undefined || publicMethods.has(request.method)) return local
    return unknownMethod(request)
  }

  /**
   * The call for the chain's node, with tags and ranges that anvil understands, or an answer that needs no node.
   * Throws `MethodError` for a call that a node of the network refuses.
   */
  async function prepared(request: RpcRequest): Promise<RpcRequest | RpcAnswer> {
    if (request.method !== 'eth_getLogs') return withHeadTags(request)
    const { head, anvil } = await endpoint.chain
    // The node may already have a block that the chain has not recorded yet.
    const newest = Math.max(head.number, Number(await anvil.rpc.call('eth_blockNumber')))
    const asked = logsRequest(request, newest)
    return asked ?? { jsonrpc: '2.0', id: request.id ?? null, result: [] }
  }

  /** Runs `work` for a call and turns an unexpected error into an answer with the call's id. */
  async function guarded<T>(raw: unknown, work: () => Promise<T>): Promise<T | RpcAnswer> {
    try {
      return await work()
    } catch (error) {
      // While the chain restarts, its calls fail as a whole.
      if (endpoint.isDown() || isConnectionLost(error)) throw new ChainDownError()
      const { id } = (raw ?? {}) as { readonly id?: unknown }
      if (error instanceof RpcError || error instanceof MethodError) {
        return failure(id, error.code, error.message)
      }
      return failure(id, -32603, error instanceof Error ? error.message : String(error))
    }
  }

  function answerOne(raw: unknown, interference: Interference | undefined): Promise<RpcAnswer> {
    return guarded(raw, () => answerCall(raw, interference))
  }

  async function answerCall(raw: unknown, interference: Interference | undefined): Promise<RpcAnswer> {
    let request = asRequest(raw)
    if (request !== undefined && interference?.before !== undefined) {
      const changed = interference.before(request)
      if (isAnswer(changed)) return changed
      request = changed
    }
    const local = await ownAnswer(request, raw)
    if (request === undefined) return local ?? failure(null, -32600, 'invalid request')
    const answer = local ?? (await forwardParsed(request))
    return interference?.after === undefined ? answer : interference.after(request, answer)
  }

  /** The fast path for a single call: the node's bytes are passed on without parsing them. */
  async function answerSingle(raw: unknown, original: Buffer): Promise<Buffer> {
    const request = asRequest(raw)
    const answer = await guarded<RpcAnswer | Buffer>(raw, async () => {
      const local = await ownAnswer(request, raw)
      if (local !== undefined) return local
      if (request === undefined) return failure(null, -32600, 'invalid request')
      if (await needsReading(request)) return forwardParsed(request)
      const bytes = await forward(original)
      if (!needsTranslation(bytes)) return bytes
      return translate(request, JSON.parse(bytes.toString('utf8')) as RpcAnswer, await factsOf())
    })
    return Buffer.isBuffer(answer) ? answer : Buffer.from(JSON.stringify(answer))
  }

  async function answerBatch(list: readonly unknown[], original: Buffer): Promise<Buffer> {
    const requests = list.map(asRequest)
    const locals = await Promise.all(
      requests.map((request, index) => guarded(list[index], () => ownAnswer(request, list[index]))),
    )
    const more = await Promise.all(requests.map(needsReading))
    const isPlain = locals.every((local) => local === undefined) && !more.includes(true)
    const bytes = isPlain ? await forward(original) : undefined
    if (bytes !== undefined && !needsTranslation(bytes)) return bytes
    const answers = list.map((item, index) => locals[index] ?? answerOne(item, undefined))
    return Buffer.from(JSON.stringify(await Promise.all(answers)))
  }

  return {
    async answer(payload, original, interference) {
      if (!Array.isArray(payload)) {
        if (interference === undefined) return answerSingle(payload, original)
        return Buffer.from(JSON.stringify(await answerOne(payload, interference)))
      }
      const list = payload as readonly unknown[]
      if (list.length === 0) return Buffer.from(JSON.stringify(failure(null, -32600, 'empty batch')))
      if (list.length > batchLimit) {
        const id = (list[0] as { id?: unknown } | null)?.id
        return Buffer.from(JSON.stringify([failure(id, -32600, 'batch too large')]))
      }
      if (interference === undefined) return answerBatch(list, original)
      const answers = await Promise.all(list.map((item) => answerOne(item, interference)))
      return Buffer.from(JSON.stringify(interference.batch?.(answers) ?? answers))
    },
    close() {
      own.close()
      agent.destroy()
    },
  }
}

function isObject(params: unknown): boolean {
  return typeof params === 'object' && params !== null && !Array.isArray(params)
}

/** The valid calls of a body. */
export function requestsOf(payload: unknown): RpcRequest[] {
  const list: readonly unknown[] = Array.isArray(payload) ? payload : [payload]
  return list.map(asRequest).filter((request) => request !== undefined)
}

/** Serves one chain's `/rpc` path, with the recorded status codes and error texts of a node. */
export function evmRpcHandler(endpoint: EvmEndpoint, caller: EvmCaller, hook: NodeHook | undefined): Handler {
  const { key } = endpoint.plan
  return async (request, response) => {
    if (request.method !== 'POST') {
      request.resume()
      // A node answers GET with an empty 200 and every other method with 405.
      response.writeHead(request.method === 'GET' ? 200 : 405)
      response.end()
      return
    }
    if (!/^application\/(json|json-rpc|jsonrequest)\b/i.test(request.headers['content-type'] ?? '')) {
      request.resume()
      sendText(response, 415, 'invalid content type, only application/json is supported\n')
      return
    }
    const original = await readBody(request)
    if (endpoint.isDown()) {
      sendText(response, 503, down)
      return
    }
    let payload: unknown
    try {
      payload = JSON.parse(original.toString('utf8'))
    } catch {
      sendBytes(response, Buffer.from(JSON.stringify(failure(null, -32700, 'parse error'))))
      return
    }
    const interference = await hook?.begin(key, requestsOf(payload), 'http')
    if (interference?.refuse !== undefined) {
      interference.refuse(response)
      return
    }
    let body: Buffer | undefined
    try {
      body = await caller.answer(payload, original, interference)
    } catch (error) {
      if (!(error instanceof ChainDownError) && !isConnectionLost(error)) throw error
      sendText(response, 503, down)
      return
    }
    if (body !== undefined && interference?.deliver !== undefined) interference.deliver(body, response)
    else sendBytes(response, body ?? Buffer.alloc(0))
  }
}

function sendBytes(response: http.ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}
