import { filledIn, pages, type PageName, type Tab } from '../../contract/pages.ts'

/** A path of the dashboard: the values of its page's parameters as they stand, the profile before it, and the tab of its query. */
export type ClientPath = {
  readonly page: PageName
  readonly profile: string | undefined
  readonly values: Readonly<Record<string, string | undefined>>
  readonly tab: Tab | undefined
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

function tabOf(page: PageName, query: string): Tab | undefined {
  const { tabs = {} } = pages[page]
  const name = new URLSearchParams(query).get('tab') ?? ''
  return Object.hasOwn(tabs, name) ? tabs[name] : undefined
}

/** The page of a path, with its query or without; undefined for a path that is none. */
export function clientPath(path: string, query = ''): ClientPath | undefined {
  for (const { page, pattern } of patterns) {
    const match = pattern.exec(path)
    if (match === null) continue
    const { profile, ...values } = match.groups ?? {}
    return { page, profile, values, tab: tabOf(page, query) }
  }
  return undefined
}

/**
 * The path of a request of `contract/pages.ts`; undefined if a parameter contains characters that a `Link` header
 * would have to escape.
 */
export function requestOf(request: string, values: ClientPath['values']): string | undefined {
  const path = filledIn(request, values)
  return /^[\w/.?=&-]+$/.test(path) ? path : undefined
}
