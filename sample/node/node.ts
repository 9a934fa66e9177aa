import type { EvmChain } from '../evm/chain.ts'
import { siteConcern } from '../nft/site.ts'
import type { Certificate } from '../primary/certificates.ts'
import type { Ledger } from '../primary/ledger.ts'
import type { EvmEndpoint } from './evm-rpc.ts'
import { createEvmCaller, evmRpcHandler } from './evm-rpc.ts'
import { createEvmSockets } from './evm-ws.ts'
import type { Concern, Handler, Upgrade } from './front.ts'
import { sendJson } from './front.ts'
import type { HealthHead } from './health.ts'
import { healthConcern } from './health.ts'
import type { NodeHook } from './hook.ts'
import { infoConcern } from './info.ts'
import { PRIMARY_IDS, primaryConcern } from './primary-concern.ts'
import { idText } from './primary-text.ts'

/** Begins the addresses of the test network. */
const PREFIX = 'fuji'

/** What stands behind the endpoints of the primary network. */
export interface PrimaryParts {
  readonly ledger: Promise<Ledger>
  /** Who proposes the C-chain's blocks. */
  readonly proposers: readonly Certificate[]
}

/** One EVM chain's paths: `/ext/bc/<alias or blockchain id>/rpc` and `/ws`. */
function evmConcern(endpoint: EvmEndpoint, hook: NodeHook | undefined): Concern {
  const caller = createEvmCaller(endpoint)
  const handler = evmRpcHandler(endpoint, caller, hook)
  const sockets = createEvmSockets(endpoint, caller, hook)
  const names = [...endpoint.plan.aliases, endpoint.plan.blockchainId]
  return {
    routes: new Map<string, Handler>(
      names.flatMap((name) => [
        [`/ext/bc/${name}/rpc`, handler],
        [`/ext/bc/${name}/ws`, handler],
      ]),
    ),
    sockets: new Map<string, Upgrade>(names.map((name) => [`/ext/bc/${name}/ws`, sockets.upgrade])),
    close() {
      sockets.close()
      caller.close()
    },
  }
}

/** `/sample/addresses`: which contract is which, by chain and name. A node has no such path; the sample's users need it. */
function addressConcern(endpoints: readonly EvmEndpoint[]): Concern {
  const handler: Handler = async (request, response) => {
    request.resume()
    const found = endpoints.map(async ({ plan, chain }) => [plan.key, (await chain).addresses()] as const)
    sendJson(response, Object.fromEntries(await Promise.all(found)))
  }
  return { routes: new Map([['/sample/addresses', handler]]) }
}

/** The heads of all chains by their aliases; undefined for one that is still being made. */
function headsOf(
  endpoints: readonly EvmEndpoint[],
  chains: ReadonlyMap<string, EvmChain>,
  ledger: Ledger | undefined,
): ReadonlyMap<string, HealthHead | undefined> {
  const evm = endpoints.map(({ plan }): [string, HealthHead | undefined] => {
    const head = chains.get(plan.key)?.head
    const shown = head && { height: head.number, id: idText(head.hash.slice(2)) }
    return [plan.aliases[0] ?? plan.blockchainId, shown]
  })
  const primary = (['P', 'X'] as const).map((alias): [string, HealthHead | undefined] => {
    const block = ledger?.block(alias, ledger.height(alias))
    return [alias, block && { height: block.height, id: idText(block.id) }]
  })
  return new Map([...evm, ...primary])
}

/** Everything the node answers, and the web site that its NFTs lead to. */
export function nodeConcerns(
  endpoints: readonly EvmEndpoint[],
  primary: PrimaryParts,
  isBootstrapped: () => boolean,
  hook: NodeHook | undefined,
): Concern[] {
  const chains = new Map<string, EvmChain>()
  for (const { plan, chain } of endpoints) {
    // A chain that does not start is reported by whoever starts it.
    void chain.then((started) => chains.set(plan.key, started)).catch(() => undefined)
  }
  // Tests make P and X pretend; everything here looks at what they show.
  const ledger = primary.ledger.then((made) => hook?.shownLedger(made) ?? made)
  // Whoever asks meets the failure; nobody having asked yet must not end the process.
  ledger.catch(() => undefined)
  let shown: Ledger | undefined
  void ledger.then((made) => (shown = made)).catch(() => undefined)
  const blockchains = new Map<string, string>([
    ...Object.entries(PRIMARY_IDS).flatMap(([alias, id]): [string, string][] => [
      [alias, id],
      [id, id],
    ]),
    ...endpoints.flatMap(({ plan }) =>
      [...plan.aliases, plan.blockchainId].map((name) => [name, plan.blockchainId] as const),
    ),
  ])
  const c = endpoints.find(({ plan }) => plan.key === 'c')
  if (c === undefined) throw new Error('there is no C-chain')
  return [
    ...endpoints.map((endpoint) => evmConcern(endpoint, hook)),
    primaryConcern({
      ledger,
      c: c.chain,
      blockchains,
      prefix: PREFIX,
      proposers: primary.proposers,
      hook,
    }),
    addressConcern(endpoints),
    siteConcern(),
    infoConcern({ blockchains, ledger, hook, isBootstrapped }),
    healthConcern({ hook, heads: () => headsOf(endpoints, chains, shown), isBootstrapped }),
  ]
}
