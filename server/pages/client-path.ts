import { filledIn, pages, type PageName } from '../../contract/pages.ts'

/** A path of the dashboard: the values of its page's parameters as they stand, and the profile before it. */
export type ClientPath = {
  readonly page: PageName
  readonly profile: string | undefined
  readonly values: Readonly<Record<string, string | undefined>>
}

/** Matches the paths of a page; its groups are the path's parameters and the profile before it. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^(?:/p/(?<profile>[\\w-]+))?${path === '/' ? '' : path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`,
  )

const patterns = (Object.keys(pages) as PageName[]).map((page) => ({
  page,
  pattern: patternOf(pages[page].path),
}))

/** The page of a path; undefined for a path that is none. */
export function clientPath(path: string): ClientPath | undefined {
  for (const { page, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match === null) continue
    const { profile, ...values } = match.groups ?? {}
    return { page, profile, values }
  }
  return undefined
}

/**
 * The path of a request of `contract/pages.ts`; undefined if a parameter contains characters that a `Link` header
 * would have to escape.
 */
export function requestOf(request: string, values: ClientPath['values']): string | undefined {
  const path = filledIn(request, values)
  return /^[\w/.?=-]+$/.test(path) ? path : undefined
}
