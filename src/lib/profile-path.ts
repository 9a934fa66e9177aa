/*
 * Every page of a profile other than the default lives below `/p/<profile>`, so that a link carries its
 * deployment and no other link has to name it.
 */

const prefixed = /^\/p\/([A-Za-z0-9_-]+)(?=\/|$)/

/** The profile that a location names, undefined for the default one. */
export function profileOfLocation(pathname: string): string | undefined {
  return prefixed.exec(pathname)?.[1]
}

/** The router's base path at a location. */
export function basenameOf(pathname: string): string {
  return prefixed.exec(pathname)?.[0] ?? '/'
}

/** The address of a page in a profile; `isDefault` leaves the prefix out. */
export function inProfile(path: string, profile: string, isDefault: boolean): string {
  return isDefault ? path : `/p/${profile}${path === '/' ? '' : path}`
}
