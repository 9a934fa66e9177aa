import type { primaryAliasOf } from '../../contract/primary/chains.ts'
import type { Chain } from '../kernel/settings/chains.ts'
import type { NetworkConfig } from '../kernel/settings/config.ts'
import { NodeClient } from './client.ts'
import { networkNode } from './network-node.ts'

type ChainAlias = keyof typeof primaryAliasOf

/** The APIs of a network's node, relative to its base URL. */
const primaryPaths: Readonly<Record<ChainAlias, string>> = {
  P: '/ext/bc/P',
  X: '/ext/bc/X',
  C: '/ext/bc/C/avax',
}

/** The clients of the configured chains' nodes. */
export type Nodes = {
  /** The client of a chain's node; created on first use. */
  of(chain: Chain): NodeClient
  /** The client for traces and replays: they may take seconds, and other calls must not wait for them. */
  forTraces(chain: Chain): NodeClient
  /** The client of a chain of a network's node. */
  ofNetwork(network: NetworkConfig, chain: ChainAlias): NodeClient
  /** Closes every connection. */
  close(): void
}

/** The longest wait for one answer of a node, in milliseconds. */
const longestWait = 8_000

/** Maximum number of concurrent traces and replays of a chain's node, and of those that wait. */
const traceLimits = { concurrency: 4, maxWaiting: 64 }

/** Creates the directory of clients. No connection is opened before the first call. */
export function createNodes(): Nodes {
  const plain = new Map<string, NodeClient>()
  const tracing = new Map<string, NodeClient>()
  const primary = new Map<string, NodeClient>()
  const find = (
    clients: Map<string, NodeClient>,
    { id, config }: Chain,
    limits: { concurrency?: number; maxWaiting?: number },
  ): NodeClient => {
    let client = clients.get(id)
    if (!client) {
      client = new NodeClient({
        url: config.rpcUrl,
        chainName: config.name,
        timeout: Math.min(longestWait, config.requestSeconds * 1_000),
        ...limits,
      })
      clients.set(id, client)
    }
    return client
  }
  return {
    of: (chain) => find(plain, chain, {}),
    forTraces: (chain) => find(tracing, chain, traceLimits),
    ofNetwork(network, chain) {
      const key = `${network.id} ${chain}`
      const client = primary.get(key) ?? networkNode(network, primaryPaths[chain])
      primary.set(key, client)
      return client
    },
    close() {
      for (const clients of [plain, tracing, primary]) {
        for (const client of clients.values()) client.close()
        clients.clear()
      }
    },
  }
}
