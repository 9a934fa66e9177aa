import type { ServerResponse } from 'node:http'
import { sendText } from '../kernel/front.ts'
import type { Interference } from '../node/rpc/hook.ts'
import { cannotFind } from '../node/rpc/json2.ts'
import { failure, type RpcAnswer, type RpcRequest } from '../node/rpc/jsonrpc.ts'
import { heightOf, paramsOf, rangeOf } from './rewind.ts'
import { chainKeys, type FaultKind, type FaultOrder, type FaultState } from './types.ts'

/** The active faults. */
export type Faults = {
  add(order: FaultOrder): FaultState
  clear(): void
  list(): FaultState[]
  /** The fault that applies to this HTTP call, counted as a hit; undefined if none applies. */
  hit(chain: string, requests: readonly RpcRequest[]): FaultState | undefined
  /** Whether this call meets the fault's conditions. */
  matches(fault: FaultOrder, request: RpcRequest): boolean
  socketFault(chain: string): 'silent' | 'closed' | undefined
}

const socketFaults: Partial<Record<FaultKind, 'silent' | 'closed'>> = {
  'silent-ws': 'silent',
  'closed-ws': 'closed',
}

/** `heightOfHash` returns the heights of block hashes that the node has returned. */
export function createFaults(heightOfHash: (hash: string) => number | undefined): Faults {
  let faults: (FaultOrder & { id: number; hits: number })[] = []
  let nextId = 1

  function matches({ match = {} }: FaultOrder, request: RpcRequest): boolean {
    const range = rangeOf(request)
    const first = paramsOf(request)[0]
    const hash = typeof first === 'string' && first.length === 66 ? first : undefined
    if (match.method !== undefined && match.method !== request.method) return false
    if (match.hash !== undefined && match.hash !== hash) return false
    if (match.height === undefined) return true
    if (range !== undefined) return range.first <= match.height && match.height <= range.last
    const height = heightOf(request) ?? (hash === undefined ? undefined : heightOfHash(hash))
    return height === match.height
  }

  return {
    add(order) {
      const fault = { ...order, id: nextId, hits: 0 }
      nextId += 1
      faults.push(fault)
      return fault
    },
    clear() {
      faults = []
    },
    list: () => faults.map((fault) => ({ ...fault })),
    hit(chain, requests) {
      const found = faults.find(
        (fault) =>
          isAt(fault, chain) &&
          socketFaults[fault.kind] === undefined &&
          fault.hits < (fault.times ?? Infinity) &&
          requests.some((request) => matches(fault, request)),
      )
      if (found !== undefined) found.hits += 1
      return found
    },
    matches,
    socketFault(chain) {
      const found = faults.find((fault) => isAt(fault, chain) && socketFaults[fault.kind] !== undefined)
      return found === undefined ? undefined : socketFaults[found.kind]
    },
  }
}

/** `index` stands for all indexes. */
function isAt({ chain }: FaultOrder, asked: string): boolean {
  return asked === chain || asked.startsWith(`${chain}/`)
}

function page(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  response.end('<!doctype html><title>Just a moment</title><p>Checking your connection.</p>')
}

function sendHead(response: ServerResponse, length: number): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
}

type Entry = Readonly<Record<string, unknown>>

/** How each kind of fault changes one answer of an affected call. */
const answerChanges: Partial<Record<FaultKind, (answer: RpcAnswer, fault: FaultState) => RpcAnswer>> = {
  null: (answer) => ({ jsonrpc: '2.0', id: answer.id, result: null }),
  error: (answer, { code = -32000, message = 'the node is unwell' }) => failure(answer.id, code, message),
  'empty-logs': (answer) =>
    Array.isArray(answer.result)
      ? { ...answer, result: (answer.result as Entry[]).map((receipt) => ({ ...receipt, logs: [] })) }
      : answer,
  'missing-receipt': (answer) =>
    Array.isArray(answer.result) ? { ...answer, result: (answer.result as unknown[]).slice(0, -1) } : answer,
  'missing-transaction': (answer) => {
    const block = answer.result as Entry | null | undefined
    const transactions = block?.['transactions']
    if (!Array.isArray(transactions)) return answer
    return { ...answer, result: { ...block, transactions: (transactions as unknown[]).slice(0, -1) } }
  },
  'wrong-parent': (answer) => {
    const block = answer.result as Entry | null | undefined
    if (block?.['parentHash'] === undefined) return answer
    return { ...answer, result: { ...block, parentHash: `0x${'be'.repeat(32)}` } }
  },
}

function unknownMethod({ chain }: FaultState, { id, method }: RpcRequest): RpcAnswer {
  if (chainKeys.some((key) => key === chain)) {
    return failure(id, -32601, `the method ${method} does not exist/is not available`)
  }
  return { jsonrpc: '2.0', id, error: { code: -32000, message: cannotFind(method), data: null } }
}

/** The effect of a fault on an HTTP call. `isHit` selects the affected calls of a batch. */
export function interferenceOf(fault: FaultState, isHit: (request: RpcRequest) => boolean): Interference {
  const change = answerChanges[fault.kind]
  if (change !== undefined) {
    return { after: (request, answer) => (isHit(request) ? change(answer, fault) : answer) }
  }
  switch (fault.kind) {
    case '429':
      return {
        refuse(response) {
          const headers = { 'content-type': 'text/plain', 'retry-after': String(fault.retryAfter ?? 1) }
          response.writeHead(429, headers).end('Too Many Requests\n')
        },
      }
    case '404':
      return { refuse: (response) => sendText(response, 404, '404 page not found\n') }
    case '503':
      return {
        refuse: (response) =>
          response.writeHead(503, { 'content-type': 'text/plain' }).end('Service Unavailable\n'),
      }
    case 'html':
      return { refuse: page }
    case 'reset':
      return { refuse: (response) => response.destroy() }
    case 'cut':
      return {
        deliver(body, response) {
          const half = body.subarray(0, Math.floor(body.length / 2))
          sendHead(response, half.length)
          response.end(half)
        },
      }
    case 'stall':
      return {
        deliver(body, response) {
          sendHead(response, body.length)
          response.write(body.subarray(0, Math.floor(body.length / 2)))
        },
      }
    case 'unsupported':
      return {
        before: (request) => (isHit(request) ? unknownMethod(fault, request) : request),
      }
    case 'shuffled':
      return { batch: (answers) => [...answers].reverse() }
    case 'missing-id':
      return { batch: (answers) => answers.slice(0, -1) }
    default:
      return {}
  }
}
