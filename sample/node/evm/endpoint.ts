import type { EvmChain } from '../../evm/evm-chain.ts'
import type { ChainPlan } from '../../evm/chains.ts'
import type { ChainRules } from './extras.ts'
import type { RpcAnswer, RpcRequest } from '../rpc/jsonrpc.ts'

/** A chain that the front serves. It may still be starting: calls wait for it. */
export type EvmEndpoint = {
  readonly plan: ChainPlan
  readonly chain: Promise<EvmChain>
  /** Whether the chain has failed and is being started again. */
  readonly isDown: () => boolean
  /** Of the C-chain: the atomic transactions of the block of a height, which its EVM node does not know. */
  readonly extraData?: Promise<(height: number) => Uint8Array | undefined>
  /** What the chain goes by. */
  readonly rules: ChainRules
  /** Whether its node forgets old states. */
  readonly pruning: boolean
  /** Answers `warp_…`; undefined for every other method. */
  readonly warp?: (request: RpcRequest) => Promise<RpcAnswer> | undefined
}
