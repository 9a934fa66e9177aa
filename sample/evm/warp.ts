import { type Hex, encodeDeployData } from 'viem'
import { artefacts } from '../contracts/artefacts.ts'
import { managerContract } from '../primary/founding.ts'
import { blockchainIdOf, type ChainPlan } from './chains.ts'
import { isHex } from '../kernel/hex.ts'
import type { RpcCall, RpcClient } from './anvil/rpc.ts'

/** The address of the precompile that sends messages to other chains. */
export const warpAddress = '0x0200000000000000000000000000000000000005'

const networkId = 5

/**
 * Installs the contracts that a chain has from its genesis on: the precompile for messages to other chains and, on
 * an L1, the manager of its validators. The node has neither built in, and its genesis accepts no code.
 */
export async function placeBuiltIns(rpc: RpcClient, plan: ChainPlan): Promise<void> {
  const place = async (address: string, bytecode: Hex): Promise<RpcCall> => {
    // A simulated creation returns the deployed code.
    const code = await rpc.call('eth_call', { data: bytecode }, 'latest')
    if (!isHex(code) || code.length < 4) throw new Error(`no code for ${address}`)
    return { method: 'anvil_setCode', params: [address, code] }
  }
  const { abi, bytecode } = artefacts.WarpPrecompile
  const precompile = encodeDeployData({ abi, bytecode, args: [networkId, blockchainIdOf(plan)] })
  const calls = [await place(warpAddress, precompile)]
  if (plan.isL1) calls.push(await place(managerContract, artefacts.ValidatorManager.bytecode))
  await rpc.batch(calls)
}
