import type { Concern } from './front.ts'
import { sendJson } from './front.ts'
import { json2Handler } from './json2.ts'

/** The state of one check. */
export interface HealthFacts {
  /** The height of every chain by its alias; undefined while the chain's node is starting. */
  heights(): ReadonlyMap<string, number | undefined>
  isBootstrapped(): boolean
}

/** `/ext/health` and its parts: GET answers 503 while unhealthy, POST always 200, as the node does. */
export function healthConcern(facts: HealthFacts): Concern {
  function report(): { healthy: boolean; checks: Record<string, unknown> } {
    const timestamp = new Date().toISOString()
    const checks: Record<string, unknown> = {}
    for (const [alias, height] of facts.heights()) {
      const error = height === undefined ? { error: 'chain is starting' } : {}
      const message = { engine: { consensus: { lastAcceptedHeight: height ?? 0 } } }
      checks[alias] = { message, ...error, timestamp, duration: 0 }
    }
    const bootstrapped = facts.isBootstrapped()
    checks['bootstrapped'] = bootstrapped
      ? { message: [], timestamp, duration: 0 }
      : { message: [...facts.heights().keys()], error: 'subnets not bootstrapped', timestamp, duration: 0 }
    return { healthy: bootstrapped, checks }
  }
  const alive = (): unknown => ({ healthy: true, checks: {} })
  const routes = [
    ['/ext/health', report],
    ['/ext/health/health', report],
    ['/ext/health/readiness', report],
    ['/ext/health/liveness', alive],
  ] as const
  return {
    routes: new Map(
      routes.map(([path, of]) => [
        path,
        json2Handler({
          name: 'health',
          methods: { health: report, readiness: report, liveness: alive },
          get(_request, response) {
            const found = of()
            sendJson(response, found, (found as { healthy: boolean }).healthy ? 200 : 503)
          },
        }),
      ]),
    ),
  }
}
