import { quantity } from '../kernel/hex.ts'
import { blockPlaces } from '../node/evm/tags.ts'
import { failure, type RpcAnswer, type RpcRequest } from '../node/rpc/jsonrpc.ts'

const nullWhenUnknown = /^(eth_getBlock|eth_getTransactionByBlock|trace_block)/

/** The call's parameters as a list. */
export function paramsOf({ params }: RpcRequest): readonly unknown[] {
  return Array.isArray(params) ? (params as readonly unknown[]) : []
}

/** The parameters of a call to one of the node's own services, by name. */
function namedParams({ params }: RpcRequest): Readonly<Record<string, unknown>> {
  const given: unknown = Array.isArray(params) ? (params as readonly unknown[])[0] : params
  return typeof given === 'object' && given !== null ? (given as Readonly<Record<string, unknown>>) : {}
}

/** The heights of the blocks named in a call to P, X or a block index; index 0 is height 1. */
export function rangeOf(request: RpcRequest): { readonly first: number; readonly last: number } | undefined {
  const params = namedParams(request)
  switch (request.method) {
    case 'platform.getBlockByHeight':
    case 'avm.getBlockByHeight':
      return { first: Number(params['height']), last: Number(params['height']) }
    case 'index.getContainerByIndex':
      return { first: Number(params['index']) + 1, last: Number(params['index']) + 1 }
    case 'index.getContainerRange': {
      const start = Number(params['startIndex'])
      return { first: start + 1, last: start + Number(params['numToFetch']) }
    }
    default:
      return undefined
  }
}

/** The block height in a call; undefined for tags, hashes and calls without a block. */
export function heightOf(request: RpcRequest): number | undefined {
  const place = blockPlaces.get(request.method)
  const value = place === undefined ? undefined : paramsOf(request)[place]
  return typeof value === 'string' && /^0x[0-9a-f]{1,13}$/i.test(value) ? Number(value) : undefined
}

function isTag(value: unknown): boolean {
  return value === 'latest' || value === 'pending' || value === 'safe' || value === 'finalized'
}

/** Rewrites a call for a node whose head is at `to`, or returns that node's answer. */
export function rewindRequest(request: RpcRequest, to: number): RpcRequest | RpcAnswer {
  const { method, id } = request
  if (method === 'eth_blockNumber') return { jsonrpc: '2.0', id, result: quantity(to) }
  const place = blockPlaces.get(method)
  const params = [...paramsOf(request)]
  if (method === 'eth_getLogs') {
    const filter = params[0] as { toBlock?: unknown; blockHash?: unknown } | undefined
    if (filter?.blockHash !== undefined) return request
    const asked = typeof filter?.toBlock === 'string' && !isTag(filter.toBlock) ? Number(filter.toBlock) : to
    return { ...request, params: [{ ...filter, toBlock: quantity(Math.min(asked, to)) }] }
  }
  if (place === undefined) return request
  const height = heightOf(request)
  if (height !== undefined && height > to) {
    if (nullWhenUnknown.test(method)) return { jsonrpc: '2.0', id, result: null }
    return failure(id, -32000, 'cannot query unfinalized data')
  }
  if (isTag(params[place])) params[place] = quantity(to)
  return { ...request, params }
}

function numberIn(result: unknown): number {
  const item = (Array.isArray(result) ? result[0] : result) as Record<string, unknown> | null | undefined
  const found = item?.['blockNumber'] ?? item?.['number']
  return typeof found === 'string' || typeof found === 'number' ? Number(found) : -1
}

/** The answer without content above `to`. */
export function rewindAnswer(request: RpcRequest, answer: RpcAnswer, to: number): RpcAnswer {
  const isLookup = /^eth_get(Block|Transaction)|^debug_traceTransaction/.test(request.method)
  return isLookup && numberIn(answer.result) > to ? { ...answer, result: null } : answer
}

/** Whether a subscription message announces a block above `to`. */
export function isPushAbove(message: Buffer, to: number): boolean {
  const { params } = JSON.parse(message.toString('utf8')) as { params?: { result?: unknown } }
  return numberIn(params?.result) > to
}
