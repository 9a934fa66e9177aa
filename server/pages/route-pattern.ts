/** Matches the paths of a client route; its groups are the route's parameters and the profile before it. */
export const routePattern = (route: string): RegExp =>
  new RegExp(
    `^(?:/p/(?<profile>[\\w-]+))?${route === '/' ? '' : route.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`,
  )
