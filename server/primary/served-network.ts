import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import type { ChainConfig, Config, NetworkConfig } from '../kernel/settings/config.ts'
import { cChainNumbers, localCChain } from '../kernel/settings/public-networks.ts'
import { notFound } from '../kernel/http-errors.ts'
import { primaryChainKey, primaryChainNamed, type PrimaryNetwork } from './chains.ts'

/** A configured network by its name in paths: `testnet` is `fuji`. */
export type ServedNetwork = {
  readonly id: PrimaryNetwork
  readonly config: NetworkConfig
  /** The store's keys of its P-, X- and C-Chain. */
  readonly p: number
  readonly x: number
  readonly c: number
}

export type ServedChain = ServedNetwork & { readonly alias: PrimaryChainAlias; readonly key: number }

/** The configured EVM chain that is a network's C-Chain and is indexed from its first block, whose atomic side is too. */
export function cChainOf(network: NetworkConfig, chains: readonly ChainConfig[]): ChainConfig | undefined {
  const evmChainId = cChainNumbers.get(network.networkId) ?? localCChain
  return chains.find(
    (chain) => chain.network === network.id && chain.evmChainId === evmChainId && chain.startBlock === 0,
  )
}

/** A chain of the primary network that the configuration has indexed. */
type IndexedPrimaryChain = {
  readonly network: NetworkConfig
  readonly alias: PrimaryChainAlias
  readonly key: number
}

/** The P-, X- and, where it is followed, C-Chain of every configured network. */
export const indexedPrimaryChains = ({ networks, chains }: Config): IndexedPrimaryChain[] =>
  networks.flatMap((network) =>
    (['p-chain', 'x-chain', ...(cChainOf(network, chains) ? (['c-chain'] as const) : [])] as const).map(
      (alias) => ({ network, alias, key: primaryChainKey(network.id, alias) }),
    ),
  )

/** The network of a path. Throws a 404 if it is not configured. */
export function findNetwork(config: Config, name: string): ServedNetwork {
  const network = servedNetwork(config, name)
  if (!network) throw notFound(`network ${name} is not served here`)
  return network
}

/** The network of a name; undefined if it is not configured. */
export function servedNetwork(config: Config, name: string): ServedNetwork | undefined {
  const id: PrimaryNetwork = name === 'mainnet' ? 'mainnet' : 'fuji'
  const found = config.networks.find((network) => network.id === id)
  return (
    found && {
      id,
      config: found,
      p: primaryChainKey(id, 'p-chain'),
      x: primaryChainKey(id, 'x-chain'),
      c: primaryChainKey(id, 'c-chain'),
    }
  )
}

/** The chain of a path (docs/api.md, Answers). Throws a 404 for an id of the other network. */
export function findPrimaryChain(config: Config, name: string, blockchainId: string): ServedChain {
  const network = findNetwork(config, name)
  const named = primaryChainNamed(blockchainId)
  if (named.network !== undefined && named.network !== network.id) {
    throw notFound(`blockchain ${blockchainId} belongs to ${named.network}, not to ${network.id}`)
  }
  return { ...network, alias: named.alias, key: primaryChainKey(network.id, named.alias) }
}

/** The ChainInfo of an answer. */
export const chainInfoOf = ({ alias, id }: ServedChain): { chainName: string; network: string } => ({
  chainName: alias,
  network: id,
})
