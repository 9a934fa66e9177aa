import { matchRoutes, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { lazy } from './components/lazy.ts'
import { LazyPart } from './components/part.tsx'
import { SkeletonRows } from './components/skeleton.tsx'
import { Frame } from './pages/frame/frame.tsx'
import { NetworkGate, PrimaryChainGate } from './pages/shared/network-gates.tsx'
import { RouteFailed } from './pages/shared/route-failed.tsx'

type Module = { Component: () => React.ReactNode; loader?: (args: LoaderFunctionArgs) => unknown }
type Load = () => Promise<Module>

const hydrate = <SkeletonRows count={12} />

/** Replaces a page whose code failed to load: the router would keep the failure until the page is reloaded. */
function latePage(load: Load): Module {
  const Page = lazy(() => load(), 'Component')
  return {
    Component: () => (
      <LazyPart title="This page" fallback={hydrate}>
        <Page />
      </LazyPart>
    ),
  }
}

/** A page: a module, fetched as a chunk when it is visited. Its `loader` starts requests and waits for none. */
function page(path: string, load: Load): RouteObject {
  return {
    ...(path === '' ? { index: true } : { path }),
    lazy: () => load().catch(() => latePage(load)),
    ErrorBoundary: RouteFailed,
    hydrateFallbackElement: hydrate,
    handle: { load },
  }
}

const children: RouteObject[] = [
  page('', () => import('./pages/overview/overview.tsx')),
  page('chains', () => import('./pages/overview/chains.tsx')),
  page('chain/:chainId', () => import('./pages/overview/chain.tsx')),
  page('chain/:chainId/metrics', () => import('./pages/metrics/metrics.tsx')),
  page('chain/:chainId/metrics/:metric', () => import('./pages/metrics/metric.tsx')),
  page('chain/:chainId/hot', () => import('./pages/metrics/hot/hot.tsx')),
  page('chain/:chainId/blocks', () => import('./pages/evm/blocks.tsx')),
  page('chain/:chainId/block/:blockId', () => import('./pages/evm/block.tsx')),
  page('chain/:chainId/transactions', () => import('./pages/evm/transactions.tsx')),
  page('chain/:chainId/tx/:txHash', () => import('./pages/evm/transaction/transaction.tsx')),
  page('chain/:chainId/address/:address', () => import('./pages/evm/address/address.tsx')),
  page('chain/:chainId/tokens', () => import('./pages/tokens/tokens.tsx')),
  page('chain/:chainId/token/:address', () => import('./pages/tokens/token/token.tsx')),
  page('chain/:chainId/nft/:address/:tokenId', () => import('./pages/tokens/nft/nft.tsx')),
  page('chain/:chainId/contracts', () => import('./pages/evm/contracts/contracts.tsx')),
  {
    path: 'networks/:network',
    Component: NetworkGate,
    children: [
      page('', () => import('./pages/network/network.tsx')),
      page('metrics', () => import('./pages/metrics/network-metrics.tsx')),
      page('metrics/:metric', () => import('./pages/metrics/network-metric.tsx')),
      page('vertices', () => import('./pages/primary/vertices.tsx')),
      page('vertices/:vertexHash', () => import('./pages/primary/vertex.tsx')),
      page('subnets', () => import('./pages/network/subnets.tsx')),
      page('subnets/:subnetId', () => import('./pages/network/subnet.tsx')),
      page('blockchains', () => import('./pages/network/blockchains.tsx')),
      page('blockchains/:blockchainId', () => import('./pages/network/blockchain/blockchain.tsx')),
      page('addresses/:address', () => import('./pages/primary/address/address.tsx')),
      page('validators', () => import('./pages/network/validators/validators.tsx')),
      page('validators/:nodeId', () => import('./pages/network/validator/validator.tsx')),
      page('l1-validators', () => import('./pages/network/l1-validators/l1-validators.tsx')),
      page('l1-validators/:validationId', () => import('./pages/network/l1-validator/l1-validator.tsx')),
      {
        path: ':chain',
        Component: PrimaryChainGate,
        children: [
          page('blocks', () => import('./pages/primary/blocks.tsx')),
          page('block/:blockId', () => import('./pages/primary/block.tsx')),
          page('transactions', () => import('./pages/primary/transactions.tsx')),
          page('tx/:txHash', () => import('./pages/primary/transaction/transaction.tsx')),
        ],
      },
    ],
  },
  page('search', () => import('./pages/search.tsx')),
  page('settings', () => import('./pages/settings.tsx')),
  page('addresses', () => import('./pages/watch/watch-page.tsx')),
  page('fleets', () => import('./pages/watch/fleets/fleets.tsx')),
  page('fleets/:fleetId', () => import('./pages/watch/fleet/fleet.tsx')),
  page('alarms', () => import('./pages/watch/alarms/alarms.tsx')),
  page('alarms/rules', () => import('./pages/watch/rules/rules.tsx')),
  page('alarms/rules/:ruleId', () => import('./pages/watch/rules/rule.tsx')),
  page('alarms/channels', () => import('./pages/watch/channels/channels.tsx')),
  page('signatures', () => import('./pages/signatures/signatures.tsx')),
  page('node', () => import('./pages/node/node.tsx')),
  page('api', () => import('./pages/api/api.tsx')),
  page('sql', () => import('./pages/sql/sql.tsx')),
  page('*', () => import('./pages/not-found.tsx')),
]

/** Every route of the dashboard; paths are built by `paths.ts`. */
export const routes: RouteObject[] = [{ path: '/', Component: Frame, ErrorBoundary: RouteFailed, children }]

const warm = new Map<string, number>()
const warmFor = 20_000

/** Fetches the code of a path's page and runs its loader, before the click. */
export function prefetchRoute(href: string, now: number): void {
  if (now - (warm.get(href) ?? -Infinity) < warmFor) return
  warm.set(href, now)
  const url = new URL(href, location.origin)
  const match = matchRoutes(routes, url.pathname)?.at(-1)
  const load = (match?.route.handle as { load?: Load } | undefined)?.load
  if (!match || !load) return
  const args = { params: match.params, request: new Request(url), context: {} } as LoaderFunctionArgs
  load().then(
    (module) => module.loader?.(args),
    // The click tries again and shows what failed; a prefetch must not.
    () => warm.delete(href),
  )
}
