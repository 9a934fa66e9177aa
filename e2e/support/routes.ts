import { pages } from '../../contract/pages.ts'

/** The route of every page. */
export const routes = Object.values(pages).map(({ path }): string => path)

/** The route of a path: the one with the fewest parameters that matches. */
export function routeOf(pathname: string): string | undefined {
  const parameters = (route: string): number => route.split(':').length
  return routes
    .filter((route) => new RegExp(`^${route.replaceAll(/:[^/]+/g, '[^/]+')}$`).test(pathname))
    .toSorted((a, b) => parameters(a) - parameters(b))[0]
}

/** What the whole title of a page at a path looks like, with anything for its parameters. */
export function titlePatternOf(path: string): RegExp {
  const route = routeOf(path.replace(/\?.*/, ''))
  const title = Object.values(pages).find((page) => page.path === route)?.title
  if (title === undefined) throw new Error(`no page is at ${path}`)
  return new RegExp(`^${title.replaceAll(/:\w+/g, '.+')} · Ridgeline$`)
}
