import type { GeneratedBlock } from './generator.ts'
import { isHex, quantity } from '../kernel/hex.ts'
import type { BlockToMake } from './order.ts'
import type { RpcCall, RpcClient } from './anvil/rpc.ts'

/** The calls that send what the generator has drawn for a block; the first sets the base fee. */
export function generatedCalls(block: GeneratedBlock): RpcCall[] {
  return [
    { method: 'anvil_setNextBlockBaseFeePerGas', params: [quantity(block.baseFee)] },
    ...block.requests.map((request) => ({ method: 'eth_sendTransaction', params: [request] })),
  ]
}

/**
 * Sends the transactions that a block is to include. Resolves with the hashes of the generator's that the node took.
 * Throws `RpcError` when the node refuses one of `block.transactions`, without which the block would be another.
 */
export async function sendBlock(
  rpc: RpcClient,
  generated: GeneratedBlock | undefined,
  { raw = [], transactions }: BlockToMake,
): Promise<ReadonlySet<string>> {
  for (const each of raw) {
    // Another branch may have no place for it.
    await rpc.settleBatch([{ method: 'eth_sendRawTransaction', params: [each] }])
  }
  const [setBaseFee, ...requests] = generated === undefined ? [] : generatedCalls(generated)
  if (setBaseFee !== undefined) await rpc.batch([setBaseFee])
  for (const each of transactions ?? []) await rpc.call('eth_sendRawTransaction', each)
  if (transactions !== undefined) return new Set()
  // An account that others have emptied is refused; the block does without its transaction.
  return new Set((await rpc.settleBatch(requests)).filter(isHex))
}
