import type { EvmChain } from '../evm/evm-chain.ts'
import type { ChainPlan } from '../evm/chains.ts'
import { siteRoutes } from '../nft/site.ts'
import type { Certificate } from '../primary/certificates.ts'
import type { Ledger } from '../primary/ledger.ts'
import { type ChainRegistry, createChainRegistry } from './rpc/chain-names.ts'
import type { Peers } from '../peers/peers.ts'
import type { EvmEndpoint } from './evm/endpoint.ts'
import { createEvmCaller, evmRpcHandler } from './evm/rpc.ts'
import { createEvmSockets } from './evm/ws/ws.ts'
import { type Handler, type RouteGroup, sendJson, sendText, type Upgrade } from '../kernel/front.ts'
import { type HealthHead, healthRoutes } from './health.ts'
import type { NodeHook } from './rpc/hook.ts'
import { infoRoutes } from './info.ts'
import { json2Handler } from './rpc/json2.ts'
import { adminRoutes, type NodeSettings } from './admin/admin.ts'
import { primaryIds, primaryRoutes } from './primary/routes.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import { fromCb58 } from './rpc/encodings.ts'
import { createRouteAliases } from './admin/route-aliases.ts'
import { validatorMethods } from './validators-service.ts'
import { forCallers } from '../kernel/for-callers.ts'

/** The prefix of the test network's addresses. */
const addressPrefix = 'fuji'

/** What the endpoints of the primary network need. */
type PrimaryParts = {
  readonly ledger: Promise<Ledger>
  /** The proposers of the C-Chain's blocks. */
  readonly proposers: readonly Certificate[]
  /** The validators that the node is connected to. */
  readonly peers: Promise<Pick<Peers, 'known' | 'versions'>>
}

/** Answers a plain HTTP request to a websocket's path. */
const notASocket: Handler = (request, response) => {
  request.resume()
  sendText(response, 400, 'Bad Request\n')
}

/** One EVM chain's paths: `/ext/bc/<alias or blockchain id>/rpc` and `/ws`. */
function evmRoutes(endpoint: EvmEndpoint, names: readonly string[], hook: NodeHook | undefined): RouteGroup {
  const caller = createEvmCaller(endpoint)
  const handler = evmRpcHandler(endpoint, caller, hook)
  const sockets = createEvmSockets(endpoint, caller, hook)
  return {
    routes: new Map<string, Handler>(
      names.flatMap((name) => [
        [`/ext/bc/${name}/rpc`, handler],
        [`/ext/bc/${name}/ws`, notASocket],
      ]),
    ),
    sockets: new Map<string, Upgrade>(names.map((name) => [`/ext/bc/${name}/ws`, sockets.upgrade])),
    close() {
      sockets.close()
      caller.close()
    },
  }
}

/**
 * `/sample/addresses`: contract addresses by chain and name. A real node has no such path; it is for users of the
 * sample.
 */
function addressRoutes(endpoints: readonly EvmEndpoint[]): RouteGroup {
  const handler: Handler = async (request, response) => {
    request.resume()
    const found = endpoints.map(async ({ plan, chain }) => [plan.key, (await chain).addresses()] as const)
    sendJson(response, Object.fromEntries(await Promise.all(found)))
  }
  return { routes: new Map([['/sample/addresses', handler]]) }
}

/** The heads of all chains by alias; undefined for a chain that is being built or restarted. */
function headsOf(
  endpoints: readonly EvmEndpoint[],
  chains: ReadonlyMap<string, EvmChain>,
  ledger: Ledger | undefined,
): ReadonlyMap<string, HealthHead | undefined> {
  const evm = endpoints.map(({ plan, isDown }): [string, HealthHead | undefined] => {
    const head = isDown() ? undefined : chains.get(plan.key)?.head
    const shown = head && { height: head.number, id: cb58(head.hash.slice(2)) }
    return [plan.aliases[0] ?? plan.blockchainId, shown]
  })
  const primary = (['P', 'X'] as const).map((alias): [string, HealthHead | undefined] => {
    const block = ledger?.block(alias, ledger.height(alias))
    return [alias, block && { height: block.height, id: cb58(block.id) }]
  })
  return new Map([...evm, ...primary])
}

/** `/ext/bc/<chain>/validators` of a subnet's chain. */
function validatorRoutes(plan: ChainPlan, names: readonly string[], ledger: Promise<Ledger>): RouteGroup {
  const subnetId = fromCb58(plan.subnetId).toString('hex')
  const methods = forCallers(ledger.then((made) => validatorMethods({ ledger: made, subnetId })))
  const handler = json2Handler({ name: 'validators', methods })
  return { routes: new Map(names.map((name) => [`/ext/bc/${name}/validators`, handler])) }
}

/** Further aliases of the primary network's chains. */
const moreNames: Readonly<Record<string, readonly string[]>> = { P: ['platform'], X: ['avm'], C: ['evm'] }

function registryOf(endpoints: readonly EvmEndpoint[]): ChainRegistry {
  const named = (names: readonly string[]): string[] =>
    names.flatMap((name) => [name, ...(moreNames[name] ?? [])])
  return createChainRegistry([
    ...Object.entries(primaryIds).map(([alias, id]) => ({ id, names: named([alias]) })),
    ...endpoints.map(({ plan }) => ({ id: plan.blockchainId, names: named(plan.aliases) })),
  ])
}

/** All routes of the node, and of the web site that its NFTs link to. */
export function nodeRouteGroups(
  endpoints: readonly EvmEndpoint[],
  primary: PrimaryParts,
  isBootstrapped: () => boolean,
  hook: NodeHook | undefined,
  settings: NodeSettings,
): RouteGroup[] {
  const chains = new Map<string, EvmChain>()
  for (const { plan, chain } of endpoints) {
    // Whoever starts the chain reports its failure.
    void chain.then((started) => chains.set(plan.key, started)).catch(() => undefined)
  }
  // Tests may change what P and X show; all routes read the changed ledger.
  const ledger = forCallers(primary.ledger.then((made) => hook?.shownLedger(made) ?? made))
  let shown: Ledger | undefined
  void ledger.then((made) => (shown = made)).catch(() => undefined)
  const registry = registryOf(endpoints)
  const { blockchains } = registry
  const routes = createRouteAliases()
  const plans = endpoints.map(({ plan }) => plan)
  const c = endpoints.find(({ plan }) => plan.key === 'c')
  if (c === undefined) throw new Error('there is no C-Chain')
  const routeGroups = [
    ...endpoints.map((endpoint) =>
      evmRoutes(endpoint, registry.namesOf(endpoint.plan.blockchainId) ?? [], hook),
    ),
    primaryRoutes({
      ledger,
      c: c.chain,
      registry,
      prefix: addressPrefix,
      proposers: primary.proposers,
      hook,
    }),
    addressRoutes(endpoints),
    siteRoutes(),
    infoRoutes({ blockchains, ledger, peers: primary.peers, hook, isBootstrapped }),
    healthRoutes({ hook, heads: () => headsOf(endpoints, chains, shown), isBootstrapped }),
    ...endpoints
      .filter(({ plan }) => plan.key !== 'c')
      .map(({ plan }) => validatorRoutes(plan, registry.namesOf(plan.blockchainId) ?? [], ledger)),
    adminRoutes({ settings, registry, routes, plans }),
  ]
  routes.know(routeGroups)
  return routeGroups
}
