import type { EvmChain } from '../evm/chain.ts'
import { siteConcern } from '../nft/site.ts'
import type { EvmEndpoint } from './evm-rpc.ts'
import { createEvmCaller, evmRpcHandler } from './evm-rpc.ts'
import { createEvmSockets } from './evm-ws.ts'
import type { Concern, Handler, Upgrade } from './front.ts'
import { sendJson } from './front.ts'
import { healthConcern } from './health.ts'
import type { NodeHook } from './hook.ts'
import { infoConcern } from './info.ts'
import type { Certificate } from '../primary/certificates.ts'
import type { Ledger } from '../primary/ledger.ts'
import { PRIMARY_IDS, primaryConcern } from './primary-concern.ts'

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

/** What stands behind the endpoints of the primary network. */
export interface PrimaryParts {
  readonly ledger: Promise<Ledger>
  /** Who proposes the C-chain's blocks. */
  readonly proposers: readonly Certificate[]
}

/** Everything the node answers, and the web site that its NFTs lead to. */
export function nodeConcerns(
  endpoints: readonly EvmEndpoint[],
  primary: PrimaryParts,
  isBootstrapped: () => boolean,
  hook: NodeHook | undefined,
): Concern[] {
  const heads = new Map<string, EvmChain>()
  for (const { plan, chain } of endpoints) {
    // A chain that does not start is reported by whoever starts it.
    void chain.then((started) => heads.set(plan.key, started)).catch(() => undefined)
  }
  const blockchains = new Map([
    ...Object.entries(PRIMARY_IDS).flatMap(([name, id]) => [[name, id] as const, [id, id] as const]),
    ...endpoints.flatMap(({ plan }) =>
      [...plan.aliases, plan.blockchainId].map((name) => [name, plan.blockchainId] as const),
    ),
  ])
  const c = endpoints.find(({ plan }) => plan.key === 'c')
  const shown = primary.ledger.then((ledger) => hook?.shownLedger(ledger) ?? ledger)
  shown.catch(() => undefined)
  const extraData = primary.ledger.then((made) => (height: number) => made.extraData(height))
  extraData.catch(() => undefined)
  let ledger: Ledger | undefined
  void shown.then((made) => (ledger = made)).catch(() => undefined)
  return [
    ...(c === undefined
      ? []
      : [
          primaryConcern({
            ledger: shown,
            c: c.chain,
            blockchains,
            prefix: 'fuji',
            proposers: primary.proposers,
            hook,
          }),
        ]),
    ...endpoints.map((endpoint) => evmConcern(endpoint === c ? { ...endpoint, extraData } : endpoint, hook)),
    addressConcern(endpoints),
    siteConcern(),
    infoConcern({ blockchains, isBootstrapped }),
    healthConcern({
      isBootstrapped,
      heights: () =>
        new Map([
          ['P', ledger?.height('P')],
          ['X', ledger?.height('X')],
          ...endpoints.map(
            ({ plan }) => [plan.aliases[0] ?? plan.name, heads.get(plan.key)?.head.number] as const,
          ),
        ]),
    }),
  ]
}
