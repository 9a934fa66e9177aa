import { failure, type RpcAnswer, type RpcRequest } from '../rpc/jsonrpc.ts'

/** What the translation needs to know about the chain. */
export type ChainFacts = {
  readonly head: number
  /** The state root of a block, for the error text; undefined when there is no such block. */
  stateRootOf(block: unknown): Promise<string | undefined>
}

/** Texts that mark an answer that may need translation: error messages of anvil, checked with 1.7.1. */
const markers = [
  'BlockOutOfRangeError',
  'Resource not found',
  'Method not found',
  'Required data unavailable',
  '"returnValue":"0x","structLogs":[]',
  'failed to evaluate JS code',
].map((text) => Buffer.from(text))

/** Whether the bytes may contain an answer that a node of the network words differently. */
export function needsTranslation(bytes: Buffer): boolean {
  return markers.some((marker) => bytes.includes(marker))
}

/** A node's message for a trace that needs a pruned state. */
export const traceUnavailable = 'required historical state unavailable (reexec=0)'

function isAbove(block: unknown, head: number): boolean {
  return typeof block === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(block) && Number(block) > head
}

/** Calls that read the state of a block. */
const stateMethods: ReadonlySet<string> = new Set([
  'debug_traceCall',
  'eth_call',
  'eth_createAccessList',
  'eth_estimateGas',
  'eth_getBalance',
  'eth_getCode',
  'eth_getProof',
  'eth_getStorageAt',
  'eth_getTransactionCount',
])

/** The number, tag or hash of the block whose state a call reads, also within an EIP-1898 object. */
function stateBlockOf({ method, params }: RpcRequest): unknown {
  const list = Array.isArray(params) ? (params as readonly unknown[]) : []
  const found = method === 'eth_getStorageAt' || method === 'eth_getProof' ? list[2] : list[1]
  if (typeof found !== 'object' || found === null) return found
  const { blockHash, blockNumber } = found as { blockHash?: unknown; blockNumber?: unknown }
  return blockHash ?? blockNumber
}

async function stateError(request: RpcRequest, facts: ChainFacts): Promise<string> {
  const block = stateBlockOf(request)
  if (isAbove(block, facts.head)) return 'cannot query unfinalized data'
  const root = (await facts.stateRootOf(block))?.slice(2)
  if (root === undefined) return 'header not found'
  return `missing trie node ${root} (path ) state 0x${root} is not available, not found`
}

const scriptFaultMark = 'failed to evaluate JS code: '

/** The message for an invalid tracer, in the words of the network's JavaScript engine. */
function scriptFault(text: string): string {
  const [first = ''] = text.slice(text.indexOf(scriptFaultMark) + scriptFaultMark.length).split('\n', 1)
  return `${first} at <eval>:1:2(0)`
}

/**
 * Rewrites anvil's errors as those of a pruned node of the network: `missing trie node …` for a pruned state,
 * `required historical state unavailable` for its traces, and the node's text for an unknown method.
 */
export async function translate(
  request: RpcRequest,
  answer: RpcAnswer,
  facts: ChainFacts,
): Promise<RpcAnswer> {
  const { method } = request
  const text = answer.error?.message ?? ''
  const first = Array.isArray(request.params) ? (request.params as readonly unknown[])[0] : undefined
  if (text.includes('Method not found')) {
    return failure(answer.id, -32601, `the method ${method} does not exist/is not available`)
  }
  if (text.includes('BlockOutOfRangeError') || text.includes('Required data unavailable')) {
    return failure(answer.id, -32000, await stateError(request, facts))
  }
  if (method === 'eth_getLogs' && text !== '') return failure(answer.id, -32000, 'unknown block')
  if (stateMethods.has(method) && text.includes('Resource not found')) {
    return failure(answer.id, -32000, 'header not found')
  }
  if (method === 'debug_traceTransaction') {
    if (text.includes('Resource not found')) return failure(answer.id, -32000, traceUnavailable)
    const result = answer.result as { gas?: unknown; structLogs?: unknown } | null | undefined
    if (result?.gas === 0 && Array.isArray(result.structLogs) && result.structLogs.length === 0) {
      return failure(answer.id, -32000, 'transaction not found')
    }
  }
  if (text.includes(scriptFaultMark)) return failure(answer.id, -32000, scriptFault(text))
  if (method.startsWith('debug_traceBlock')) {
    if (Array.isArray(answer.result)) {
      const result = (answer.result as readonly { readonly error?: string }[]).map((item) =>
        item.error?.includes(scriptFaultMark) === true ? { ...item, error: scriptFault(item.error) } : item,
      )
      if (result.some((item, index) => item !== (answer.result as readonly unknown[])[index])) {
        return { ...answer, result }
      }
    }
    if (text.includes('Resource not found')) {
      if (isAbove(first, facts.head)) return failure(answer.id, -32000, 'cannot query unfinalized data')
      return failure(answer.id, -32000, `block ${String(first)} not found`)
    }
    const isPruned =
      Array.isArray(answer.result) &&
      answer.result.some((item: { error?: unknown }) => item.error === 'Resource not found')
    if (isPruned) return failure(answer.id, -32000, traceUnavailable)
  }
  return answer
}

/** Answers that need no node, for calls that anvil answers differently from the network's nodes. */
export function localAnswer(request: RpcRequest, head: number): RpcAnswer | undefined {
  const { method, id } = request
  const first = Array.isArray(request.params) ? (request.params as readonly unknown[])[0] : undefined
  if (method === 'eth_subscribe' || method === 'eth_unsubscribe') {
    return failure(id, -32601, 'notifications not supported')
  }
  if (method === 'debug_traceCall' && Array.isArray(request.params) && request.params[1] === 'pending') {
    return failure(id, -32000, 'tracing on top of pending is not supported')
  }
  if (method === 'debug_traceBlockByNumber' && (first === 'earliest' || first === '0x0')) {
    return failure(id, -32000, 'genesis is not traceable')
  }
  // anvil answers [], which would mean that the block exists and has no traces.
  if (method === 'trace_block' && isAbove(first, head))
    return { jsonrpc: '2.0', id: id ?? null, result: null }
  return undefined
}
