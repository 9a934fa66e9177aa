import path from 'node:path'
import type { RouteGroup } from '../../kernel/front.ts'
import { ServiceError } from '../rpc/service-errors.ts'

/** Names given to endpoints while the node runs. Both are what stands behind `/ext/`. */
export type RouteAliases = {
  /** Lets everything at and below `endpoint` answer at `alias` too. Throws `ServiceError` for a path that is taken. */
  add(endpoint: string, alias: string): void
  /** Where a path leads that nothing is registered for; undefined when it is nobody's alias. */
  target(asked: string): string | undefined
  /** Takes down what the node answers, so that no alias hides it. */
  know(routeGroups: readonly RouteGroup[]): void
}

/** How many aliases may lead to each other. */
const mostSteps = 4

function join(part: string): string {
  return path.posix.join('/ext', part)
}

export function createRouteAliases(): RouteAliases {
  const aliases = new Map<string, string>()
  const taken = new Set<string>()

  function step(asked: string): string | undefined {
    for (let from = asked; from.length > '/ext'.length; from = path.posix.dirname(from)) {
      const endpoint = aliases.get(from)
      if (endpoint !== undefined) return endpoint + asked.slice(from.length)
    }
    return undefined
  }

  return {
    add(endpoint, alias) {
      const at = join(alias)
      if (taken.has(at) || aliases.has(at)) {
        throw new ServiceError(`route is either already aliased or already maps to a handle: ${at}`)
      }
      aliases.set(at, join(endpoint))
    },
    target(asked) {
      if (aliases.size === 0) return undefined
      let found = step(asked)
      for (let steps = 1; found !== undefined && steps < mostSteps; steps += 1) {
        const next = step(found)
        if (next === undefined) break
        found = next
      }
      return found
    },
    know(routeGroups) {
      for (const { routes } of routeGroups) {
        for (const route of routes?.keys() ?? []) {
          taken.add(route)
          // A chain's base is taken with its endpoints, the folders of the chains and indices are not.
          if (route.split('/').length > 4) taken.add(path.posix.dirname(route))
        }
      }
    },
  }
}
