import { configFile, type ChainConfig, type NetworkConfig } from '../../../kernel/settings/config.ts'

/** The settings of the recorded local network. With `isCFollowed`, its C-Chain is indexed too. */
export function localNetwork(
  nodeUrl: string,
  isCFollowed = false,
  onNewGenesis: 'stop' | 'startOver' = 'stop',
): { readonly networks: readonly NetworkConfig[]; readonly chains: readonly ChainConfig[] } {
  const { networks, chains } = configFile.parse({
    networks: [
      {
        name: 'Local',
        networkId: 12345,
        prefix: 'local',
        nodeUrl,
        onNewGenesis,
        pollSeconds: 0.05,
        sampleSeconds: 1,
      },
    ],
    chains: [{ evmChainId: 43112, name: 'C', rpcUrl: nodeUrl, network: 'fuji' }],
  })
  return { networks, chains: isCFollowed ? chains : [] }
}
