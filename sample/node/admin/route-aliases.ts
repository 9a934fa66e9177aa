import path from 'node:path'
import type { RouteGroup } from '../../kernel/front.ts'
import { ServiceError } from '../rpc/service-errors.ts'

/** Aliases of endpoints, added while the node runs. Endpoints and aliases are paths after `/ext/`. */
export type RouteAliases = {
  /** Makes everything at and below `endpoint` answer at `alias` too. Throws `ServiceError` for a path in use. */
  add(endpoint: string, alias: string): void
  /** The path that an unregistered path is an alias of; undefined when it is not an alias. */
  target(asked: string): string | undefined
  /** Registers the node's own routes, so that no alias hides one. */
  know(routeGroups: readonly RouteGroup[]): void
}

/** The longest chain of aliases that is followed. */
const maxSteps = 4

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
      for (let steps = 1; found !== undefined && steps < maxSteps; steps += 1) {
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
          // A chain's base path is reserved together with its endpoints; the folders of chains and indices are not.
          if (route.split('/').length > 4) taken.add(path.posix.dirname(route))
        }
      }
    },
  }
}
