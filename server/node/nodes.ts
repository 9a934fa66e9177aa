import type { Chain } from '../kernel/chains.ts'
import { NodeClient } from './client.ts'

/** The clients of the configured chains' nodes. */
export type Nodes = {
  /** The client of a chain's node; created on first use. */
  of(chain: Chain): NodeClient
  /** Closes every connection. */
  close(): void
}

/** The longest wait for one answer of a node, in milliseconds. */
const longestWait = 8_000

/** Creates the directory of clients. No connection is opened before the first call. */
export function createNodes(): Nodes {
  const clients = new Map<string, NodeClient>()
  return {
    of({ id, config }) {
      let client = clients.get(id)
      if (!client) {
        client = new NodeClient({
          url: config.rpcUrl,
          chainName: config.name,
          timeout: Math.min(longestWait, config.requestSeconds * 1_000),
        })
        clients.set(id, client)
      }
      return client
    },
    close() {
      for (const client of clients.values()) client.close()
      clients.clear()
    },
  }
}
