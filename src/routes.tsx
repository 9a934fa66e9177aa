import { matchRoutes, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { pages, type PageName } from '../contract/pages.ts'
import { lazy } from './components/lazy.ts'
import { LazyPart } from './components/part.tsx'
import { SkeletonRows } from './components/skeleton.tsx'
import { loadUnlessLeft } from './lib/leaving.ts'
import { Frame } from './pages/frame/frame.tsx'
import { networkLoader, NetworkGate, PrimaryChainGate } from './pages/shared/network-gates.tsx'
import { OfferedGate } from './pages/shared/offered-gate.tsx'
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

/** What draws each page (`contract/pages.ts`): a module, fetched as a chunk when the page is visited. */
const modules: Readonly<Record<PageName, Load>> = {
  overview: () => import('./pages/overview/overview.tsx'),
  chains: () => import('./pages/overview/chains.tsx'),
  chain: () => import('./pages/overview/chain.tsx'),
  metrics: () => import('./pages/metrics/metrics.tsx'),
  metric: () => import('./pages/metrics/metric.tsx'),
  hot: () => import('./pages/metrics/hot/hot.tsx'),
  blocks: () => import('./pages/evm/blocks.tsx'),
  block: () => import('./pages/evm/block.tsx'),
  transactions: () => import('./pages/evm/transactions.tsx'),
  transaction: () => import('./pages/evm/transaction/transaction.tsx'),
  address: () => import('./pages/evm/address/address.tsx'),
  tokens: () => import('./pages/tokens/tokens.tsx'),
  nfts: () => import('./pages/tokens/collections/collections.tsx'),
  token: () => import('./pages/tokens/token/token.tsx'),
  nft: () => import('./pages/tokens/nft/nft.tsx'),
  contracts: () => import('./pages/evm/contracts/contracts.tsx'),
  network: () => import('./pages/network/network.tsx'),
  networkMetrics: () => import('./pages/metrics/network-metrics.tsx'),
  networkMetric: () => import('./pages/metrics/network-metric.tsx'),
  vertices: () => import('./pages/primary/vertices.tsx'),
  vertex: () => import('./pages/primary/vertex.tsx'),
  subnets: () => import('./pages/network/subnets.tsx'),
  subnet: () => import('./pages/network/subnet/subnet.tsx'),
  blockchains: () => import('./pages/network/blockchains.tsx'),
  blockchain: () => import('./pages/network/blockchain/blockchain.tsx'),
  wallet: () => import('./pages/primary/address/address.tsx'),
  validators: () => import('./pages/network/validators/validators.tsx'),
  validator: () => import('./pages/network/validator/validator.tsx'),
  l1Validators: () => import('./pages/network/l1-validators/l1-validators.tsx'),
  l1Validator: () => import('./pages/network/l1-validator/l1-validator.tsx'),
  primaryBlocks: () => import('./pages/primary/blocks.tsx'),
  primaryBlock: () => import('./pages/primary/block.tsx'),
  primaryTransactions: () => import('./pages/primary/transactions.tsx'),
  primaryTransaction: () => import('./pages/primary/transaction/transaction.tsx'),
  search: () => import('./pages/search.tsx'),
  settings: () => import('./pages/settings.tsx'),
  watchList: () => import('./pages/watch/watch-page.tsx'),
  fleets: () => import('./pages/watch/fleets/fleets.tsx'),
  fleet: () => import('./pages/watch/fleet/fleet.tsx'),
  alarms: () => import('./pages/watch/alarms/alarms.tsx'),
  rules: () => import('./pages/watch/rules/rules.tsx'),
  rule: () => import('./pages/watch/rules/rule.tsx'),
  channels: () => import('./pages/watch/channels/channels.tsx'),
  signatures: () => import('./pages/signatures/signatures.tsx'),
  node: () => import('./pages/node/node.tsx'),
  docs: () => import('./pages/docs/docs.tsx'),
  sql: () => import('./pages/sql/sql.tsx'),
}

/** The module of a page, which stands only where the deployment has the page. */
function gated(name: PageName | undefined, module: Module): Module {
  if (name === undefined) return module
  const { Component: Page } = module
  const Component = (): React.ReactNode => (
    <OfferedGate name={name}>
      <Page />
    </OfferedGate>
  )
  return { ...module, Component }
}

type Handle = { readonly load: Load; readonly name: PageName | undefined }
const handleOf = ({ handle }: RouteObject): Handle | undefined => handle as Handle | undefined

/** A route of a page. Its module's `loader` starts requests and waits for none. */
function page(path: string, load: Load, name?: PageName): RouteObject {
  return {
    path,
    lazy: async () => gated(name, await loadUnlessLeft(load).catch(() => latePage(load))),
    ErrorBoundary: RouteFailed,
    hydrateFallbackElement: hydrate,
    handle: { load, name } satisfies Handle,
  }
}

/** What draws a route: a gate, or its page, whose code is loaded. */
export async function componentOf(route: RouteObject): Promise<React.ComponentType | null | undefined> {
  const handle = handleOf(route)
  return handle ? gated(handle.name, await handle.load()).Component : route.Component
}

/** The routes of the pages below a path, and below none of `others`. */
const pagesBelow = (base: string, ...others: string[]): RouteObject[] =>
  (Object.keys(modules) as PageName[]).flatMap((name) => {
    const { path } = pages[name]
    const isBelow = (one: string): boolean => path === one || path.startsWith(`${one}/`)
    return isBelow(base) && !others.some(isBelow) ? [page(path, modules[name], name)] : []
  })

const ofNetwork = '/networks/:network'
const ofChain = `${ofNetwork}/:chain`

const children: RouteObject[] = [
  ...pagesBelow('', ofNetwork),
  {
    path: ofNetwork,
    loader: networkLoader,
    Component: NetworkGate,
    hydrateFallbackElement: hydrate,
    children: [
      ...pagesBelow(ofNetwork, ofChain),
      { path: ofChain, Component: PrimaryChainGate, children: pagesBelow(ofChain) },
    ],
  },
  page('*', () => import('./pages/not-found.tsx')),
]

/** Every route of the dashboard. */
export const routes: RouteObject[] = [{ path: '/', Component: Frame, ErrorBoundary: RouteFailed, children }]

const warm = new Map<string, number>()
const warmFor = 20_000

/** Fetches the code of a path's page and runs its loader, before the click. */
export function prefetchRoute(href: string, now: number): void {
  if (now - (warm.get(href) ?? -Infinity) < warmFor) return
  warm.set(href, now)
  const url = new URL(href, location.origin)
  const match = matchRoutes(routes, url.pathname)?.at(-1)
  const load = match && handleOf(match.route)?.load
  if (!load) return
  const args = { params: match.params, request: new Request(url), context: {} } as LoaderFunctionArgs
  load().then(
    (module) => module.loader?.(args),
    // The click tries again and shows what failed; a prefetch must not.
    () => warm.delete(href),
  )
}
