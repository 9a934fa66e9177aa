import { clientRoutes } from '../../contract/client-routes.ts'

/** A path of the dashboard: its route, the values of the route's parameters as they stand, and the profile before it. */
export type ClientPath = {
  readonly route: string
  readonly profile: string | undefined
  readonly values: Readonly<Record<string, string | undefined>>
}

/** Matches the paths of a route; its groups are the route's parameters and the profile before it. */
const patternOf = (route: string): RegExp =>
  new RegExp(
    `^(?:/p/(?<profile>[\\w-]+))?${route === '/' ? '' : route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`,
  )

const patterns = Object.keys(clientRoutes).map((route) => ({ route, pattern: patternOf(route) }))

/** The page of a path; undefined for a path that is none. */
export function clientPath(path: string): ClientPath | undefined {
  for (const { route, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match === null) continue
    const { profile, ...values } = match.groups ?? {}
    return { route, profile, values }
  }
  return undefined
}

/** A text with its parameters, `:name`, replaced by their values. */
export const filledIn = (text: string, values: ClientPath['values']): string =>
  text.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '')

/**
 * The path of a request of `contract/client-routes.ts`; undefined if a parameter contains characters that a `Link` header
 * would have to escape.
 */
export function requestOf(request: string, values: ClientPath['values']): string | undefined {
  const path = filledIn(request, values)
  return /^[\w/.?=-]+$/.test(path) ? path : undefined
}
