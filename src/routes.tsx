import { matchRoutes, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { SkeletonRows } from './components/skeleton.tsx'
import { Frame } from './pages/frame/frame.tsx'
import { RouteFailed } from './pages/parts/route-failed.tsx'

type Module = { Component: () => React.ReactNode; loader?: (args: LoaderFunctionArgs) => unknown }
type Load = () => Promise<Module>

const hydrate = <SkeletonRows count={12} />

/** A page of its own chunk. Its loader begins what the page will ask for and waits for nothing. */
function page(path: string, load: Load): RouteObject {
  return { path, lazy: load, ErrorBoundary: RouteFailed, hydrateFallbackElement: hydrate, handle: { load } }
}

const children: RouteObject[] = [
  {
    index: true,
    lazy: () => import('./pages/overview.tsx'),
    ErrorBoundary: RouteFailed,
    hydrateFallbackElement: hydrate,
  },
  page('chains', () => import('./pages/chains.tsx')),
  page('chain/:chainId', () => import('./pages/chain.tsx')),
  page('chain/:chainId/metrics', () => import('./pages/metrics.tsx')),
  page('chain/:chainId/metrics/:metric', () => import('./pages/metric.tsx')),
  page('chain/:chainId/blocks', () => import('./pages/blocks.tsx')),
  page('chain/:chainId/block/:blockId', () => import('./pages/block.tsx')),
  page('chain/:chainId/transactions', () => import('./pages/transactions.tsx')),
  page('chain/:chainId/tx/:txHash', () => import('./pages/transaction.tsx')),
  page('chain/:chainId/address/:address', () => import('./pages/address.tsx')),
  page('search', () => import('./pages/search.tsx')),
  page('settings', () => import('./pages/settings.tsx')),
  page('validators', () => import('./pages/room.tsx')),
  page('vertices', () => import('./pages/room.tsx')),
  page('addresses', () => import('./pages/room.tsx')),
  page('signatures', () => import('./pages/room.tsx')),
  page('node', () => import('./pages/room.tsx')),
  page('api', () => import('./pages/room.tsx')),
  page('*', () => import('./pages/not-found.tsx')),
]

/** Every route of the dashboard; paths are built by `paths.ts`. */
export const routes: RouteObject[] = [{ path: '/', Component: Frame, ErrorBoundary: RouteFailed, children }]

const warm = new Map<string, number>()
const warmFor = 20_000

/** Fetches the code of a path's page, and begins its loader, ahead of the click. */
export function prefetchRoute(href: string, now: number): void {
  if (now - (warm.get(href) ?? -Infinity) < warmFor) return
  warm.set(href, now)
  const url = new URL(href, location.origin)
  const match = matchRoutes(routes, url.pathname)?.at(-1)
  const load = (match?.route.handle as { load?: Load } | undefined)?.load
  if (!match || !load) return
  load().then(
    (module) =>
      module.loader?.({ params: match.params, request: new Request(url), context: {} } as LoaderFunctionArgs),
    // The click will try again and show what is wrong; a guess ahead of it must not.
    () => warm.delete(href),
  )
}
