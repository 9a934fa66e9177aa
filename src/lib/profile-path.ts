/*
 * The pages of a profile other than the default are below `/p/<profile>`, so that every link identifies its
 * deployment.
 */
const prefixed = /^\/p\/([A-Za-z0-9_-]+)(?=\/|$)/

/** The profile in a location; undefined for the default one. */
export function profileOfLocation(pathname: string): string | undefined {
  return prefixed.exec(pathname)?.[1]
}

/** The router's base path at a location. */
export function basenameOf(pathname: string): string {
  return prefixed.exec(pathname)?.[0] ?? '/'
}

/** The URL path of a page in a profile; `isDefault` leaves the prefix out. */
export function inProfile(path: string, profile: string, isDefault: boolean): string {
  return isDefault ? path : `/p/${profile}${path === '/' ? '' : path}`
}
