import type { RpcRequest } from '../rpc/jsonrpc.ts'

/** The index of the block parameter of each method. */
export const blockPlaces: ReadonlyMap<string, number> = new Map([
  ['eth_getBlockByNumber', 0],
  ['eth_getBlockReceipts', 0],
  ['eth_getBlockTransactionCountByNumber', 0],
  ['eth_getTransactionByBlockNumberAndIndex', 0],
  ['debug_traceBlockByNumber', 0],
  ['trace_block', 0],
  ['eth_call', 1],
  ['eth_estimateGas', 1],
  ['eth_getBalance', 1],
  ['eth_getCode', 1],
  ['eth_getTransactionCount', 1],
  ['debug_traceCall', 1],
  ['eth_getStorageAt', 2],
  ['eth_getProof', 2],
])

/** Further methods with a block parameter, which tests need not rewind. */
const morePlaces: ReadonlyMap<string, number> = new Map([
  ['eth_getRawTransactionByBlockNumberAndIndex', 0],
  ['eth_getUncleByBlockNumberAndIndex', 0],
  ['eth_getUncleCountByBlockNumber', 0],
  ['eth_createAccessList', 1],
  ['eth_feeHistory', 1],
])

/**
 * The call with `latest` in place of equivalent tags: an accepted block is final, so `safe` and `finalized` are the
 * head, and there is no pending block except for the transaction count of an account. anvil defines finality
 * differently. Returns the call itself when nothing changes.
 */
export function withHeadTags(request: RpcRequest): RpcRequest {
  const { method, params } = request
  const place = blockPlaces.get(method) ?? morePlaces.get(method)
  if (place === undefined || !Array.isArray(params)) return request
  const tag: unknown = (params as readonly unknown[])[place]
  const isHead =
    tag === 'safe' || tag === 'finalized' || (tag === 'pending' && method !== 'eth_getTransactionCount')
  return isHead ? { ...request, params: (params as readonly unknown[]).with(place, 'latest') } : request
}
