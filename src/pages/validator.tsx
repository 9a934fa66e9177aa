import { lazy, Suspense } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { z } from 'zod'
import { useCurrentNetwork, useProfile } from '../api/current.ts'
import { nodeFeedQuery } from '../api/primary-staking.ts'
import { networkOf, validationsQuery } from '../api/primary-validators.ts'
import { queryClient } from '../api/query-client.ts'
import { useStore } from '../components/hooks.ts'
import { Identicon } from '../components/identicon.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { EmptyState } from '../components/states.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useSearchState } from '../components/use-search-state.ts'
import { labels } from '../lib/labels.ts'
import { readSearch } from '../lib/search-params.ts'
import { shorten } from '../lib/text.ts'
import { paths } from '../paths.ts'
import { LabelForm } from './address/head.tsx'
import { NetworkCrumb, useNetworkLabel } from './network-parts/crumb.tsx'
import { useRemember } from './parts/use-remember.ts'
import { HeadFigures, useLeadingTerm } from './validator/figures.tsx'
import type { Node } from './validator/node.ts'
import { TermsTab } from './validator/terms-tab.tsx'
import { WatchButton } from './validator/watch-button.tsx'
import { isNodeId } from './validators/feeds.ts'
import { FeedLinks } from './validators/feed-links.tsx'
import { StatusPill } from './validators/status-pill.tsx'

const tabSchema = z.object({
  tab: z.enum(['terms', 'delegators', 'history', 'rewards', 'blocks', 'l1']).catch('terms'),
})
type TabId = z.infer<typeof tabSchema>['tab']

// Each part is code of its own; the charts above all are for those who look at them.
const load = {
  delegators: () => import('./validator/delegators-tab.tsx').then((all) => all.DelegatorsTab),
  history: () => import('./validator/history-tab.tsx').then((all) => all.HistoryTab),
  rewards: () => import('./validator/rewards-tab.tsx').then((all) => all.RewardsTab),
  blocks: () => import('./validator/blocks-tab.tsx').then((all) => all.BlocksTab),
  l1: () => import('./validator/l1-tab.tsx').then((all) => all.L1Tab),
} as const satisfies Record<Exclude<TabId, 'terms'>, () => Promise<(node: Node) => React.ReactNode>>

const part = (id: keyof typeof load) => lazy(() => load[id]().then((Part) => ({ default: Part })))
const parts = {
  terms: TermsTab,
  delegators: part('delegators'),
  history: part('history'),
  rewards: part('rewards'),
  blocks: part('blocks'),
  l1: part('l1'),
} as const

/** What the page asks for first: the terms of the node, its feed, and the code of the part that is looked at. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const nodeId = params['nodeId'] ?? ''
  if (!network || !isNodeId(nodeId)) return null
  const { tab } = readSearch(tabSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(validationsQuery(network, nodeId))
  void queryClient.prefetchQuery(nodeFeedQuery(network, nodeId))
  // The part itself tries again, and shows what is wrong.
  if (tab !== 'terms') load[tab]().catch(() => undefined)
  return null
}

function Status(node: Node) {
  const term = useLeadingTerm(node)
  return term ? <StatusPill status={term.validationStatus} /> : null
}

function Parts(node: Node) {
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  const Part = parts[tab]
  return (
    <div className="pt-4">
      <Tabs
        label="Parts of the validator"
        current={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          { id: 'terms' as const, label: 'Terms' },
          { id: 'delegators' as const, label: 'Delegators' },
          { id: 'history' as const, label: 'Over time' },
          { id: 'rewards' as const, label: 'Rewards' },
          { id: 'blocks' as const, label: 'Blocks proposed' },
          { id: 'l1' as const, label: 'L1 validations' },
        ]}
      >
        <Suspense fallback={<SkeletonRows count={20} />}>
          <Part {...node} />
        </Suspense>
      </Tabs>
    </div>
  )
}

/** A node: its terms, who delegates to it, how it fared over time, what it earned and proposed. */
export function Component() {
  const { nodeId = '' } = useParams()
  const network = useCurrentNetwork()
  const networkLabel = useNetworkLabel(network)
  const own = useProfile()?.dataUrl === ''
  const valid = isNodeId(nodeId)
  const label = useStore(labels, (all) => all[nodeId] ?? '')
  const short = label || shorten(nodeId, 13)
  useRemember(paths.validator(network, nodeId), valid ? `Validator ${short}` : undefined, 'node')
  if (!valid)
    return (
      <>
        <NetworkCrumb network={network} />
        <PageTitle document="Validator" heading="This is no node id" />
        <EmptyState title="A node id begins with NodeID-">
          Check the link, or search for what you mean above.
        </EmptyState>
      </>
    )
  const node = { network, nodeId }
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={`Validator ${short} · ${networkLabel}`}
        heading={
          <span className="flex items-center gap-2.5">
            <Identicon value={nodeId} size={20} />
            {label || 'Validator'}
          </span>
        }
        beside={
          <>
            <Status {...node} />
            {own && <FeedLinks {...node} />}
          </>
        }
        identity={{ value: nodeId, name: 'node id' }}
        actions={
          <>
            <LabelForm key={`${nodeId}/${label}`} address={nodeId} label={label} />
            <WatchButton {...node} />
          </>
        }
      />
      <HeadFigures {...node} />
      <Parts key={nodeId} {...node} />
    </>
  )
}
