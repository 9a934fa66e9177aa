import { nodeIndexes, type NodeEndpoint } from '../../contract/node/node-methods.ts'
import { primaryChainIds } from '../../contract/primary/chains.ts'
import type { ChainConfig, Config, NetworkConfig } from '../kernel/settings/config.ts'
import { cChainNumbers } from '../kernel/settings/public-networks.ts'
import { allEndpoints } from './names.ts'

/** The destination of the calls of one path. */
export type Target = {
  readonly url: string
  /** The kinds of endpoint that the path can be. */
  readonly endpoints: readonly NodeEndpoint[]
  /** A name of the path without secrets, for errors and logs. */
  readonly label: string
}

/** The destination of the sockets of one path; the URL is absent if the operator has configured none. */
export type SocketTarget = { readonly url: string | undefined; readonly calls: Target }

/** Finds the node for a path below `/ext`; undefined if there is none. */
export type Targets = {
  /** For POST. */
  calls(path: string): Target | undefined
  /** For GET of health checks. */
  health(path: string): Target | undefined
  sockets(path: string): SocketTarget | undefined
}

/** Paths of a node that are not an API that the gateway passes on; they are never aliases. */
const reserved: ReadonlySet<string> = new Set([
  'auth',
  'bc',
  'index',
  'ipcs',
  'keystore',
  'metrics',
  'network',
  'vm',
])

const pNames: ReadonlySet<string> = new Set(['P', 'platform', primaryChainIds.p])
const xNames: ReadonlySet<string> = new Set(['X', 'avm', primaryChainIds.x.mainnet, primaryChainIds.x.fuji])
const cNames: ReadonlySet<string> = new Set(['C', 'evm'])
const cChains: ReadonlySet<number> = new Set(cChainNumbers.values())

/** The chain that a name refers to, and the endpoints that a node has for it. */
const parts = new Map<string, { readonly endpoint: NodeEndpoint; readonly at: string }>([
  ['rpc', { endpoint: 'evm', at: 'rpc' }],
  ['ws', { endpoint: 'evm', at: 'ws' }],
  ['admin', { endpoint: 'chainAdmin', at: 'admin' }],
  ['avax', { endpoint: 'atomic', at: 'avax' }],
  ['svc', { endpoint: 'atomic', at: 'avax' }],
  ['validators', { endpoint: 'validators', at: 'validators' }],
])

const indexes: ReadonlySet<string> = new Set(nodeIndexes)
const segment = /^[\w~-][\w.~-]{0,511}$/

/**
 * Creates the directory of the configured nodes. A chain's `rpcUrl` and `wsUrl` serve its calls; everything else goes to
 * the network's `nodeUrl`: the first one, or the one named by `/ext/network/<id>/…`. Aliases that an operator has
 * created with admin.alias and admin.aliasChain are unknown here: their paths are passed to the node unchanged.
 */
export function createTargets(config: Pick<Config, 'chains' | 'networks'>): Targets {
  const { chains, networks } = config

  const split = (
    path: string,
  ): { readonly network: NetworkConfig | undefined; readonly rest: string[] } | undefined => {
    const [root, ext, ...rest] = path.split('/')
    if (root !== '' || ext !== 'ext' || rest.length === 0 || rest.length > 6) return undefined
    if (!rest.every((part) => segment.test(part))) return undefined
    if (rest[0] !== 'network') return { network: networks[0], rest }
    const network = networks.find(({ id }) => id === rest[1])
    return network && { network, rest: rest.slice(2) }
  }

  const chainNamed = (name: string, network: NetworkConfig | undefined): ChainConfig | undefined => {
    if (!cNames.has(name)) {
      return chains.find((chain) => chain.blockchainId === name || String(chain.evmChainId) === name)
    }
    const ofNetwork = chains.filter((chain) => network === undefined || chain.network === network.id)
    return ofNetwork.find(({ evmChainId }) => cChains.has(evmChainId))
  }

  /** `/ext/bc/<name>/…`, and the other paths of nodes for the chains of the primary network. */
  const ofChain = (
    name: string,
    part: string | undefined,
    network: NetworkConfig | undefined,
  ): Target | undefined => {
    if (part === undefined) return network && bare(name, network)
    const found = parts.get(part)
    if (!found) return undefined
    const { endpoint, at } = found
    const label = `/ext/bc/${name}/${at}`
    const chain = chainNamed(name, network)
    const target = (url: string): Target => ({ url, endpoints: [endpoint], label })
    if (chain && endpoint === 'evm') return target(chain.rpcUrl)
    // The node that serves the chain's calls runs the chain.
    const sibling = chain && siblingOf(chain.rpcUrl, at)
    if (sibling !== undefined) return target(sibling)
    const id = chain ? (cChains.has(chain.evmChainId) ? 'C' : chain.blockchainId) : name
    return network && id !== undefined ? target(below(network, `/ext/bc/${id}/${at}`)) : undefined
  }

  const bare = (name: string, network: NetworkConfig): Target => {
    const isP = pNames.has(name)
    const isX = xNames.has(name)
    const endpoints: readonly NodeEndpoint[] = isP ? ['p'] : isX ? ['x'] : ['p', 'x']
    const path = `/ext/bc/${isP ? 'P' : isX ? 'X' : name}`
    return { url: below(network, path), endpoints, label: path }
  }

  const calls = (path: string): Target | undefined => {
    const found = split(path)
    if (!found) return undefined
    const { network, rest } = found
    const [first = '', second, ...more] = rest
    const only = rest.length === 1
    const node = (endpoints: readonly NodeEndpoint[]): Target | undefined => {
      const label = `/ext/${rest.join('/')}`
      return network && { url: below(network, label), endpoints, label }
    }
    if (first === 'bc')
      return second !== undefined && more.length < 2 ? ofChain(second, more[0], network) : undefined
    if (first === 'index') return indexes.has(rest.slice(1).join('/')) ? node(['index']) : undefined
    if (first === 'admin' || first === 'info' || first === 'health') return only ? node([first]) : undefined
    if (reserved.has(first)) return undefined
    if ((pNames.has(first) || xNames.has(first)) && only) return ofChain(first, undefined, network)
    if (cNames.has(first) && rest.length === 2) return ofChain(first, second, network)
    return node(allEndpoints)
  }

  return {
    calls,

    health(path) {
      const found = split(path)
      if (!found?.network || !/^health(\/(health|readiness|liveness))?$/.test(found.rest.join('/')))
        return undefined
      const label = `/ext/${found.rest.join('/')}`
      return { url: below(found.network, label), endpoints: ['health'], label }
    },

    sockets(path) {
      const found = split(path)
      if (!found || found.rest.at(-1) !== 'ws') return undefined
      const own = calls(path)
      const over = calls(path.replace(/\/ws$/, '/rpc'))
      if (!own || !over) return undefined
      const [first = '', second = ''] = found.rest
      const chain = chainNamed(first === 'bc' ? second : first, found.network)
      const url = chain ? chain.wsUrl : own.url.replace(/^http/, 'ws')
      return { url, calls: over }
    },
  }
}

/** A path on the network's node. */
function below({ nodeUrl }: NetworkConfig, path: string): string {
  const url = new URL(nodeUrl)
  url.pathname = url.pathname.replace(/\/+$/, '') + path
  return url.href
}

/** A sibling of a chain's `rpc` path on the same node; undefined if the URL does not have a node's path. */
function siblingOf(rpcUrl: string, at: string): string | undefined {
  const url = new URL(rpcUrl)
  if (!/\/ext\/bc\/[^/]+\/rpc$/.test(url.pathname)) return undefined
  url.pathname = url.pathname.replace(/rpc$/, at)
  return url.href
}
