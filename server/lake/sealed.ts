import { FatalError, RpcError } from '../kernel/errors.ts'
import { integer, object } from '../kernel/json.ts'
import type { RpcClient } from '../node/rpc.ts'
import type { TraceMethod } from '../indexer/evm/tracer.ts'

/** Confirmations after which a block counts as final on a chain whose node does not say. */
const defaultConfirmations = 64

/**
 * The highest final block: what the node reports, or with `confirmations` that many blocks below its head.
 * Undefined if no block is final yet.
 */
export async function finalHeight(
  rpc: RpcClient,
  confirmations: number | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (confirmations === undefined) {
    try {
      const block = await rpc.call('eth_getBlockByNumber', ['finalized', false], signal)
      if (block !== null) return integer(object(block, 'the final block')['number'], 'the number')
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
    }
  }
  const head = integer(await rpc.call('eth_blockNumber', [], signal), 'the height')
  const height = head - (confirmations ?? defaultConfirmations)
  return height < 0 ? undefined : height
}

/** The method by which a node traces. Throws FatalError if it has none. */
export async function traceMethodOf(rpc: RpcClient, signal: AbortSignal): Promise<TraceMethod> {
  const calls = [
    ['trace', 'trace_block', ['latest']],
    ['debug', 'debug_traceBlockByNumber', ['latest', { tracer: 'callTracer' }]],
  ] as const
  for (const [method, name, params] of calls) {
    try {
      await rpc.call(name, params, signal)
      return method
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      if (!error.unsupported) return method
    }
  }
  throw new FatalError('the node has no trace method: give --traces off to leave inner calls out')
}
