import type { EvmChain } from '../evm/chain.ts'
import type { EvmEndpoint } from './evm-rpc.ts'
import { createEvmCaller, evmRpcHandler } from './evm-rpc.ts'
import { createEvmSockets } from './evm-ws.ts'
import type { Concern, Handler, Upgrade } from './front.ts'
import { healthConcern } from './health.ts'
import type { NodeHook } from './hook.ts'
import { infoConcern } from './info.ts'

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

/** Everything the node answers. */
export function nodeConcerns(
  endpoints: readonly EvmEndpoint[],
  isBootstrapped: () => boolean,
  hook: NodeHook | undefined,
): Concern[] {
  const heads = new Map<string, EvmChain>()
  for (const { plan, chain } of endpoints) {
    // A chain that does not start is reported by whoever starts it.
    void chain.then((started) => heads.set(plan.key, started)).catch(() => undefined)
  }
  const blockchains = new Map(
    endpoints.flatMap(({ plan }) =>
      [...plan.aliases, plan.blockchainId].map((name) => [name, plan.blockchainId] as const),
    ),
  )
  return [
    ...endpoints.map((endpoint) => evmConcern(endpoint, hook)),
    infoConcern({ blockchains, isBootstrapped }),
    healthConcern({
      isBootstrapped,
      heights: () =>
        new Map(
          endpoints.map(({ plan }) => [plan.aliases[0] ?? plan.name, heads.get(plan.key)?.head.number]),
        ),
    }),
  ]
}
