import type { EvmChain } from '../../evm/evm-chain.ts'
import type { ChainPlan } from '../../evm/chains.ts'
import type { ChainRules } from './extras.ts'
import type { RpcAnswer, RpcRequest } from '../rpc/jsonrpc.ts'

/** A chain that the HTTP server serves. Calls wait while it is starting. */
export type EvmEndpoint = {
  readonly plan: ChainPlan
  readonly chain: Promise<EvmChain>
  /** Whether the chain failed and is restarting. */
  readonly isDown: () => boolean
  /** C-Chain only: the atomic transactions of the block at a height, which its EVM node does not know. */
  readonly extraData?: Promise<(height: number) => Uint8Array | undefined>
  /** The chain's configuration. */
  readonly rules: ChainRules
  /** Whether its node prunes old states. */
  readonly pruning: boolean
  /** Answers `warp_…`; undefined for every other method. */
  readonly warp?: (request: RpcRequest) => Promise<RpcAnswer> | undefined
}
