/**
 * Whether this is a static build (docs/static-build.md): a folder on any web server, without a Ridgeline service. Its
 * pages are in the fragment of the URL, which no server sees: a link to a page works wherever index.html is served.
 */
export const isStatic = import.meta.env.MODE === 'static'

// The mode is compared in each function, so that a build holds only its own branch.

/** The path of the current page with its profile's prefix. */
export const pagePath = (): string =>
  import.meta.env.MODE === 'static'
    ? new URL(location.hash.slice(1) || '/', location.origin).pathname
    : // The service draws pages of its own profile.
      (globalThis.location?.pathname ?? '/')

/** The origin of the dashboard, before paths that are copied; empty where the service draws the page. */
export const pageOrigin = (): string => globalThis.location?.origin ?? ''

/** Loads a page anew, such as one of another profile, by its path with the profile's prefix. */
export function loadPage(path: string): void {
  if (import.meta.env.MODE === 'static') {
    location.assign(`#${path}`)
    // Only the fragment has changed, which loads nothing.
    location.reload()
  } else location.assign(path)
}

/** The URL of a file that lies beside index.html, or that the service has at its root. */
export const urlOfFile = (name: string): string =>
  import.meta.env.MODE === 'static' ? new URL(name, document.baseURI).href : `/${name}`
