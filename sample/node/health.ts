import { type RouteGroup, sendJson } from '../kernel/front.ts'
import type { NodeHook } from './rpc/hook.ts'
import { json2Handler } from './rpc/json2.ts'

/** The newest block of a chain; `id` in cb58. */
export type HealthHead = {
  readonly height: number
  readonly id: string
}

/** The state that the checks report. */
type HealthFacts = {
  /** The head of each chain by alias; undefined while the chain is being built. */
  heads(): ReadonlyMap<string, HealthHead | undefined>
  readonly hook?: NodeHook | undefined
  isBootstrapped(): boolean
}

/** The network id of P, X and C; the check does not wait for other networks. */
const primaryNetwork = '11111111111111111111111111111111LpoYY'

function chainCheck(head: HealthHead | undefined): Readonly<Record<string, unknown>> {
  if (head === undefined) return { error: 'chain is starting' }
  const consensus = {
    lastAcceptedHeight: head.height,
    lastAcceptedID: head.id,
    longestProcessingBlock: '0s',
    processingBlocks: 0,
  }
  const networking = { disconnectedValidators: [], percentConnected: 1 }
  return { message: { engine: { consensus, vm: null }, networking } }
}

/** `/ext/health` and its parts: GET answers 503 while unhealthy, POST always answers 200, as a node does. */
export function healthRoutes(facts: HealthFacts): RouteGroup {
  function bootstrapCheck(): Readonly<Record<string, unknown>> {
    if (facts.isBootstrapped()) return { message: [] }
    return { message: [primaryNetwork], error: 'subnets not bootstrapped' }
  }

  function report(checks: Readonly<Record<string, Readonly<Record<string, unknown>>>>): unknown {
    const timestamp = new Date().toISOString()
    const timed = Object.entries(checks).map(
      ([name, check]) => [name, { ...check, timestamp, duration: 0 }] as const,
    )
    return { checks: Object.fromEntries(timed), healthy: !timed.some(([, check]) => 'error' in check) }
  }

  const health = (): unknown =>
    report({
      ...Object.fromEntries([...facts.heads()].map(([alias, head]) => [alias, chainCheck(head)])),
      bls: { message: 'node has the correct BLS key' },
      bootstrapped: bootstrapCheck(),
      database: {},
      network: { message: { connectedPeers: 0, sendFailRate: 0 } },
      router: { message: { longestRunningRequest: '0s', outstandingRequests: 0 } },
    })
  const readiness = (): unknown => report({ bootstrapped: bootstrapCheck() })
  const alive = (): unknown => report({})
  const methods = { health, readiness, liveness: alive }
  const routes = [
    ['/ext/health', health],
    ['/ext/health/health', health],
    ['/ext/health/readiness', readiness],
    ['/ext/health/liveness', alive],
  ] as const
  return {
    routes: new Map(
      routes.map(([path, of]) => [
        path,
        json2Handler({
          name: 'health',
          methods,
          hook: { of: facts.hook, chain: 'health' },
          get(_request, response) {
            const found = of()
            sendJson(response, found, (found as { healthy: boolean }).healthy ? 200 : 503)
          },
        }),
      ]),
    ),
  }
}
