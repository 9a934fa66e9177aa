import type { EvmEndpoint } from './evm/endpoint.ts'
import { createEvmCaller, type EvmCaller, evmRpcHandler } from './evm/rpc.ts'
import { warpRpcOf } from './evm/warp.ts'
import { type Handler, type RouteGroup, sendText } from '../kernel/front.ts'
import type { NodeHook } from './rpc/hook.ts'
import { blsSecretOf } from '../primary/keys.ts'
import type { LedgerHost } from '../primary/host/host.ts'
import { nodeIdText } from '../../protocol/ids/text.ts'
import type { World } from '../primary/world.ts'
import { unreachableOf } from '../peers/behaviour.ts'
import { peerChainsOf, warpChainsOf } from '../peers/chains.ts'
import { openPeers, type Peers } from '../peers/peers.ts'
import { forCallers } from '../kernel/for-callers.ts'

/** The validators of the network: peers and RPCs. */
type Validators = {
  readonly peers: Promise<Peers>
  /** The EVM chains with their `warp_…` methods, which this node's own key signs for. */
  readonly endpoints: readonly EvmEndpoint[]
  /** Each validator's own RPC: `/validators/<node id>/ext/bc/<chain>/rpc`. */
  routeGroup(hook: NodeHook | undefined): RouteGroup
  /** The RPC URLs of the validators that accept no peer connection. */
  nodes(url: string): { nodeId: string; url: string }[]
  close(): Promise<void>
}

type ValidatorsOptions = {
  readonly world: World
  readonly ledger: Promise<LedgerHost>
  readonly endpoints: readonly EvmEndpoint[]
  /** Resolves when the history has been built. */
  readonly idle: Promise<unknown>
  readonly onFailure: (error: unknown) => void
}

const addressPrefix = '/validators/'

/** Opens the validators' ports once the ledger knows them. */
export function openValidators(options: ValidatorsOptions): Validators {
  const { world, endpoints } = options
  const warpChains = warpChainsOf(endpoints)
  let opened: Promise<Peers> | undefined
  let isClosed = false
  const peers = forCallers(
    options.ledger.then((ledger) => {
      // Nothing resolves after the network has closed.
      if (isClosed) return new Promise<Peers>(() => undefined)
      opened = openPeers({ ...options, ledger, chains: peerChainsOf(ledger, warpChains) })
      return opened
    }),
  )

  function endpointsOf(secretOf: () => Uint8Array): EvmEndpoint[] {
    return endpoints.map((endpoint) => {
      const chain = warpChains.get(endpoint.plan.key)
      return chain === undefined ? endpoint : { ...endpoint, warp: warpRpcOf(chain, secretOf) }
    })
  }

  function routeGroup(hook: NodeHook | undefined): RouteGroup {
    const callers: EvmCaller[] = []
    const handlers = new Map<string, Handler>()
    const nodes = new Map(world.nodes.map((node) => [nodeIdText(node.nodeId), node]))

    function handlerOf(nodeId: string, name: string): Handler | undefined {
      const known = handlers.get(`${nodeId}/${name}`)
      const node = nodes.get(nodeId)
      if (known !== undefined || node === undefined) return known
      const endpoint = endpointsOf(() => node.blsSecret()).find(
        ({ plan }) => plan.blockchainId === name || plan.aliases.includes(name),
      )
      if (endpoint === undefined) return undefined
      const caller = createEvmCaller(endpoint)
      callers.push(caller)
      const made = evmRpcHandler(endpoint, caller, hook)
      handlers.set(`${nodeId}/${name}`, made)
      return made
    }

    const route: Handler = async (request, response) => {
      const path = (request.url ?? '').split('?', 1)[0]?.slice(addressPrefix.length) ?? ''
      const [, nodeId = '', name = ''] = /^(NodeID-\w+)\/ext\/bc\/(\w+)\/rpc$/.exec(path) ?? []
      const handler = handlerOf(nodeId, name)
      if (handler !== undefined) return handler(request, response)
      request.resume()
      sendText(response, 404, '404 page not found\n')
    }
    return {
      routes: new Map([[addressPrefix, route]]),
      close() {
        for (const caller of callers) caller.close()
      },
    }
  }

  return {
    peers,
    endpoints: endpointsOf(() => blsSecretOf('sample node')),
    routeGroup,
    nodes: (url) =>
      unreachableOf(world).map((nodeId) => ({
        nodeId: nodeIdText(nodeId),
        url: `${url}${addressPrefix}${nodeIdText(nodeId)}`,
      })),
    async close() {
      isClosed = true
      await (await opened?.catch(() => undefined))?.close()
    },
  }
}
