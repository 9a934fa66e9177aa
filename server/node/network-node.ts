import type { NetworkConfig } from '../kernel/settings/config.ts'
import { NodeClient } from './client.ts'

/**
 * The longest wait for one answer of the network's node, in milliseconds. Concurrent requests share the answer, so a busy
 * node does not get more requests.
 */
const longestWait = 15_000

/**
 * The API of a network's node at a path such as `/ext/bc/P`. An answer may take as long as the network's
 * configuration says, and at most 15 seconds. `now` is in milliseconds.
 */
export function networkNode(
  { nodeUrl, name, requestSeconds }: Pick<NetworkConfig, 'name' | 'nodeUrl' | 'requestSeconds'>,
  path: string,
  now?: () => number,
): NodeClient {
  return new NodeClient({
    url: nodeUrl.replace(/\/$/, '') + path,
    chainName: name,
    timeout: Math.min(longestWait, requestSeconds * 1_000),
    ...(now && { now }),
  })
}
