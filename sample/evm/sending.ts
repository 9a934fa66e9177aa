import type { GeneratedBlock } from './generator.ts'
import { isHex, quantity } from '../kernel/hex.ts'
import type { BlockToMake } from './order.ts'
import type { RpcCall, RpcClient } from './anvil/rpc.ts'

/** The calls that send the generated transactions of a block; the first sets the base fee. */
export function generatedCalls(block: GeneratedBlock): RpcCall[] {
  return [
    { method: 'anvil_setNextBlockBaseFeePerGas', params: [quantity(block.baseFee)] },
    ...block.requests.map((request) => ({ method: 'eth_sendTransaction', params: [request] })),
  ]
}

/**
 * Sends the transactions of a block. Resolves with the hashes of the generated ones that the node accepted. Throws
 * `RpcError` when the node refuses one of `block.transactions`: the block would differ.
 */
export async function sendBlock(
  rpc: RpcClient,
  generated: GeneratedBlock | undefined,
  { raw = [], transactions }: BlockToMake,
): Promise<ReadonlySet<string>> {
  for (const each of raw) {
    // On another branch it may be invalid.
    await rpc.settleBatch([{ method: 'eth_sendRawTransaction', params: [each] }])
  }
  const [setBaseFee, ...requests] = generated === undefined ? [] : generatedCalls(generated)
  if (setBaseFee !== undefined) await rpc.batch([setBaseFee])
  for (const each of transactions ?? []) await rpc.call('eth_sendRawTransaction', each)
  if (transactions !== undefined) return new Set()
  // An account that a user has emptied is refused; the block is made without its transaction.
  return new Set((await rpc.settleBatch(requests)).filter(isHex))
}
