import { QueryClient, QueryClientProvider, type Query } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { matchRoutes, StaticRouter, useRoutes, type RouteObject } from 'react-router'
import { chainsQuery, sessionQuery } from './api/chains.ts'
import { transport } from './api/client.ts'
import { MediaWithoutWindow } from './components/hooks.ts'
import { codeUnderway } from './components/lazy.ts'
import { DrawnFrame } from './pages/frame/frame.tsx'
import { componentOf, routes } from './routes.tsx'

/** How often a page is drawn: what it asks for may follow from its code, and from an answer. */
const maxDraws = 5

/** The elements that stand for a location, the outermost first: gates, and the page. Undefined where a gate sends on. */
async function elementsAt(location: string): Promise<readonly RouteObject[] | undefined> {
  // The first route is the frame's.
  const branch = matchRoutes(routes, location)?.slice(1) ?? []
  const request = new Request(new URL(location, 'http://service'))
  // Only gates have a loader before any code is loaded.
  for (const { route, params } of branch)
    if (typeof route.loader === 'function' && (await route.loader({ request, params } as never, {})))
      return undefined
  const parts = await Promise.all(
    branch.map(async ({ route }) => ({ path: route.path ?? '', Part: await componentOf(route) })),
  )
  return parts.reduceRight<RouteObject[] | undefined>(
    (children, { path, Part }) => [{ path, element: Part && <Part />, ...(children && { children }) }],
    undefined,
  )
}

const Place = ({ elements }: { elements: readonly RouteObject[] }): ReactNode => useRoutes([...elements])

/**
 * Waits for the code and the answers that the page that was drawn last lacks, until `late`. What fails is forgotten, so that it
 * is drawn as what is still to come. False if there was nothing new to draw.
 */
async function ask(queries: QueryClient, asked: Set<string>, late: Promise<unknown>): Promise<boolean> {
  const isNew = ({ options, state, queryHash }: Query): boolean =>
    state.data === undefined && (options as { enabled?: unknown }).enabled !== false && !asked.has(queryHash)
  const waiting = queries.getQueryCache().getAll().filter(isNew)
  for (const { queryHash } of waiting) asked.add(queryHash)
  const code = codeUnderway()
  await Promise.race([Promise.allSettled([code, ...waiting.map((query) => query.fetch())]), late])
  for (const query of waiting) if (query.state.status === 'error') queries.getQueryCache().remove(query)
  return code !== undefined || waiting.some(({ state }) => state.data !== undefined)
}

/** Moves the `style` attributes of markup, which the content security policy forbids in a document, into one sheet. */
function withSheet(markup: string): { readonly markup: string; readonly sheet: string } {
  const rules = new Map<string, number>()
  const moved = markup.replaceAll(/ style="([^"]*)"/g, (_, text: string) => {
    if (!/^[\w\s:;,.()%#+*/-]+$/.test(text)) return ''
    const rule = rules.get(text) ?? rules.size
    rules.set(text, rule)
    return ` data-style="${rule}"`
  })
  const sheet = [...rules].map(([text, rule]) => `[data-style="${rule}"]{${text}}`).join('')
  return { markup: moved, sheet }
}

/** Whether one of the alternatives of a media query about widths matches at a width in pixels; false for any other query. */
const matchesAt =
  (width: number) =>
  (query: string): boolean =>
    query.split(',').some((alternative) => {
      const bounds = [...alternative.matchAll(/\((min|max)-width: ([\d.]+)px\)/g)]
      const holds = ([, bound, pixels]: RegExpExecArray): boolean =>
        bound === 'min' ? width >= Number(pixels) : width <= Number(pixels)
      return bounds.length > 0 && bounds.every(holds)
    })

/** Widths that pages are drawn for, in pixels: what depends on scripts is right for most windows of the kind. */
const widths = { phone: 390, desk: 1440 } as const

/** Sends the requests that pages are drawn from: `answer` stands for `fetch`; only calls of a node have a body. */
export function answerBy(answer: (url: string, body?: string) => Promise<Response>): void {
  transport.send = (url, init) => answer(url, typeof init?.body === 'string' ? init.body : undefined)
}

/**
 * The markup of a page as it is before its code arrives: all of it, where the frame will draw it, with what `answerBy`
 * answers, and the rest as its skeleton. It is drawn by the page's own components, so that `main.tsx` replaces it by the
 * same; what a reader's browser knows, such as private labels, comes then. What is not answered when `late` settles is
 * drawn as still to come. The style sheet fits the page to any window, but for what scripts choose by the kind of device.
 * `sheet` holds its inline styles. Undefined for a path that is not a page's, or leads to another.
 */
export async function prerender(
  location: string,
  { device, late }: { readonly device: keyof typeof widths; readonly late: Promise<unknown> },
): Promise<{ readonly markup: string; readonly sheet: string } | undefined> {
  const elements = await elementsAt(location)
  if (!elements) return undefined
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const matches = matchesAt(widths[device])
  const draw = (): string =>
    renderToStaticMarkup(
      <StaticRouter location={location}>
        <QueryClientProvider client={queries}>
          <MediaWithoutWindow value={matches}>
            <DrawnFrame>
              <Place elements={elements} />
            </DrawnFrame>
          </MediaWithoutWindow>
        </QueryClientProvider>
      </StaticRouter>,
    )
  try {
    const known = Promise.allSettled([queries.fetchQuery(sessionQuery()), queries.fetchQuery(chainsQuery())])
    await Promise.race([known, late])
    const asked = new Set<string>()
    let markup = draw()
    for (let draws = 1; draws < maxDraws && (await ask(queries, asked, late)); draws += 1) markup = draw()
    return withSheet(markup)
  } finally {
    queries.clear()
  }
}
