import type { EvmChain } from './evm/evm-chain.ts'
import { chainPlans } from './evm/chains.ts'
import type { Notice } from './launcher.ts'
import { sampleHost } from './nft/links.ts'

type Listening = Extract<Notice, { type: 'listening' }>

/** The notice for the launcher once the server answers at `url`. */
export function listeningNotice(
  url: string,
  chains: readonly EvmChain[],
  rest: Pick<Listening, 'state' | 'validatorNodes' | 'pricesFile'> & { readonly genesisFile: string },
): Listening {
  const { state, validatorNodes, pricesFile, genesisFile } = rest
  return {
    type: 'listening',
    url,
    state,
    network: {
      id: 'fuji',
      name: 'Sample network',
      genesisFile,
      chains: chainPlans.map(
        ({ name, evmChainId, blockchainId, subnetId, vmId, token, description, key }) => {
          const id = key === 'c' ? 'C' : blockchainId
          const rpcUrl = `${url}/ext/bc/${id}/rpc`
          const wsUrl = `${url.replace(/^http/, 'ws')}/ext/bc/${id}/ws`
          return { name, evmChainId, blockchainId, subnetId, vmId, rpcUrl, wsUrl, token, description }
        },
      ),
    },
    site: { host: sampleHost, url, ipfsGateway: url },
    listedTokens: chains.flatMap((chain) =>
      Object.entries(chain.tokens()).map(([symbol, address]) => ({
        chainId: chain.plan.evmChainId,
        symbol,
        address,
      })),
    ),
    validatorNodes,
    pricesFile,
  }
}
