import { FatalError, RpcError } from '../../kernel/errors.ts'
import { hex, integer, object, refuse } from '../../kernel/json.ts'
import type { RpcClient } from '../../node/rpc.ts'

export type Identity = { readonly genesisHash: string; readonly clientVersion: string | undefined }

/** Asks a node which chain it serves. Throws FatalError if the chain id is not the configured one. */
export async function askIdentity(rpc: RpcClient, chain: number, signal: AbortSignal): Promise<Identity> {
  const id = integer(await rpc.call('eth_chainId', [], signal), 'the chain id')
  if (id !== chain) {
    throw new FatalError(`${rpc.host} serves chain ${id}, not ${chain}: check the chain's rpcUrl`)
  }
  const genesis = await rpc.call('eth_getBlockByNumber', ['0x0', false], signal)
  if (genesis === null) throw refuse('the genesis block is not there')
  return {
    genesisHash: hex(object(genesis, 'the genesis block')['hash'], 'the hash', 32),
    clientVersion: await askVersion(rpc, signal),
  }
}

async function askVersion(rpc: RpcClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    const version = await rpc.call('web3_clientVersion', [], signal)
    return typeof version === 'string' ? version.slice(0, 200).replaceAll('\0', '') : undefined
  } catch (error) {
    // Some providers do not offer this method; nothing depends on it.
    if (error instanceof RpcError) return undefined
    throw error
  }
}
