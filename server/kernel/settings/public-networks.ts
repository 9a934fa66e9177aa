/**
 * What `--network mainnet|fuji --node URL` begins with: the settings that are the same for everybody. The node tells the
 * rest (ids of the blockchains, upgrade times, fees), and the genesis is built in (server/primary/public-genesis.ts).
 */
const publicNetworks = {
  mainnet: { name: 'Avalanche mainnet', networkId: 1, prefix: 'avax', evmChainId: 43_114 },
  fuji: { name: 'Fuji', networkId: 5, prefix: 'fuji', evmChainId: 43_113 },
} as const

type PublicNetwork = keyof typeof publicNetworks
export const publicNetworkNames = Object.keys(publicNetworks) as PublicNetwork[]

const entries = Object.values(publicNetworks)

/** A network of one's own may have the same id as a public one. */
export const publicNetworkIds: ReadonlySet<number> = new Set(entries.map(({ networkId }) => networkId))

/** A network by its id, with its name if it is a public one: `5 (Fuji)`. */
export function namedNetwork(id: number): string {
  const known = entries.find(({ networkId }) => networkId === id)
  return known === undefined ? String(id) : `${id} (${known.name})`
}

/** The EVM chain id of the C-Chain that every local network has. */
export const localCChain = 43_112

/** The EVM chain ids of the C-Chain by network id: of the public networks, and of avalanchego's own local one. */
export const cChainNumbers: ReadonlyMap<number, number> = new Map([
  ...entries.map(({ networkId, evmChainId }) => [networkId, evmChainId] as const),
  [12_345, localCChain],
])

type Entry = Readonly<Record<string, unknown>>

/**
 * The content of a configuration file for a public network whose node is at `node`, with what the operator's file adds:
 * other keys, further chains, and settings of the network (by `id`) and of the C-Chain (by `evmChainId`), which take
 * precedence.
 */
export function publicConfig(network: PublicNetwork, node: string, added: Entry): Entry {
  const { name, networkId, prefix, evmChainId } = publicNetworks[network]
  const base = node.replace(/\/+$/, '')
  const primary = { id: network, name, networkId, prefix, nodeUrl: base }
  const cChain = {
    name: 'C-Chain',
    evmChainId,
    rpcUrl: `${base}/ext/bc/C/rpc`,
    wsUrl: `${base.replace(/^http/, 'ws')}/ext/bc/C/ws`,
    network,
    token: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
    isTestnet: network !== 'mainnet',
  }
  return {
    ...added,
    networks: merged([primary], added['networks'], 'id'),
    chains: merged([cChain], added['chains'], 'evmChainId'),
  }
}

/** Entries with those of a file: an entry with the same key is completed by it. What is not a list is left to the schema. */
function merged(built: readonly Entry[], added: unknown, key: string): unknown {
  if (added === undefined) return built
  if (!Array.isArray(added)) return added
  const entries = added as readonly Entry[]
  const keyOf = (entry: Entry): unknown => entry?.[key]
  return [
    ...built.map((entry) => ({ ...entry, ...entries.find((each) => keyOf(each) === keyOf(entry)) })),
    ...entries.filter((each) => !built.some((entry) => keyOf(entry) === keyOf(each))),
  ]
}
