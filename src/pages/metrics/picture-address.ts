/** What a page keeps in its URL and a picture does not have. */
const pageOnly = ['table', 'open']

/**
 * The path and query of the picture that the service draws of a page's chart (docs/embedding.md): `path` is that of the
 * page without a profile, `search` its query.
 */
export function pictureAddress(path: string, search: URLSearchParams): string {
  const kept = new URLSearchParams(search)
  for (const name of pageOnly) kept.delete(name)
  const query = kept.toString()
  return `/embed${path}.svg${query && `?${query}`}`
}
