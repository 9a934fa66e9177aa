import type { NetworkConfig } from '../config.ts'
import { NodeClient } from '../node/client.ts'

/**
 * The API of a network's node at a path such as `/ext/bc/P`. An answer may take as long as the network's
 * configuration says, and at most `longest` milliseconds. `now` is in milliseconds.
 */
export function networkNode(
  { nodeUrl, name, requestSeconds }: Pick<NetworkConfig, 'name' | 'nodeUrl' | 'requestSeconds'>,
  path: string,
  { longest, now }: { readonly longest: number; readonly now?: () => number },
): NodeClient {
  return new NodeClient({
    url: nodeUrl.replace(/\/$/, '') + path,
    chainName: name,
    timeout: Math.min(longest, requestSeconds * 1_000),
    ...(now && { now }),
  })
}
