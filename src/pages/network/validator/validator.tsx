import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { networkOf, useCurrentNetwork } from '../../../api/current.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { validationsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Figures, loadingFigures } from '../../../components/figures.tsx'
import { useStore } from '../../../components/hooks.ts'
import { Identicon } from '../../../components/identicon.tsx'
import { lazy } from '../../../components/lazy.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { LazyExtra, LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { labels } from '../../../lib/storage/labels.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { LabelForm } from '../../shared/marks/label-form.tsx'
import { Watch } from '../../shared/marks/watch.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import type { Node } from './node.ts'
import { isNodeId } from '../validators/is-node-id.ts'

const tabSchema = z.object({
  tab: z.catch(z.enum(['terms', 'outlook', 'delegators', 'history', 'rewards', 'blocks', 'l1']), 'terms'),
})
type TabId = z.infer<typeof tabSchema>['tab']

// Each tab is a chunk of its own, above all the charts.
const parts = {
  terms: lazy(() => import('./terms-tab.tsx'), 'TermsTab'),
  outlook: lazy(() => import('./outlook-tab.tsx'), 'OutlookTab'),
  delegators: lazy(() => import('./delegators-tab.tsx'), 'DelegatorsTab'),
  history: lazy(() => import('./history-tab.tsx'), 'HistoryTab'),
  rewards: lazy(() => import('./rewards-tab.tsx'), 'RewardsTab'),
  blocks: lazy(() => import('./blocks-tab.tsx'), 'BlocksTab'),
  l1: lazy(() => import('./l1-tab.tsx'), 'L1Tab'),
} as const satisfies Record<TabId, (node: Node) => React.ReactNode>

const HeadFigures = lazy(() => import('./figures.tsx'), 'HeadFigures')
const NoNode = lazy(() => import('./no-node.tsx'), 'NoNode')
const AddToFleet = lazy(() => import('../../watch/outlook/add-to-fleet.tsx'), 'AddToFleet')
const Status = lazy(() => import('./status.tsx'), 'Status')
const waitingFigures = loadingFigures(
  'Own stake, AVAX',
  'Delegated, AVAX',
  'Capacity left, AVAX',
  'Uptime',
  'Ends',
  'Last block proposed',
)

/** Requests the node's terms and feed, and loads the code of the current tab. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const nodeId = params['nodeId'] ?? ''
  if (!network || !isNodeId(nodeId)) return null
  const { tab } = readSearch(tabSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(validationsQuery(network, nodeId))
  void queryClient.prefetchQuery(nodeFeedQuery(network, nodeId))
  parts[tab].prefetch()
  HeadFigures.prefetch()
  return null
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
          { id: 'outlook' as const, label: 'Outlook' },
          { id: 'delegators' as const, label: 'Delegators' },
          { id: 'history' as const, label: 'Over time' },
          { id: 'rewards' as const, label: 'Rewards' },
          { id: 'blocks' as const, label: 'Blocks proposed' },
          { id: 'l1' as const, label: 'L1 validations' },
        ]}
      >
        <LazyPart key={tab} title="This part of the node" fallback={<SkeletonRows count={20} />}>
          <Part {...node} />
        </LazyPart>
      </Tabs>
    </div>
  )
}

/** A node: its terms, its delegators, its history, its rewards and its proposed blocks. */
export function Component() {
  const { nodeId = '' } = useParams()
  const network = useCurrentNetwork()
  const networkLabel = useNetworkLabel(network)
  const valid = isNodeId(nodeId)
  const label = useStore(labels, (all) => all[nodeId] ?? '')
  const short = label || shorten(nodeId, 13)
  useRemember(paths.validator(network, nodeId), valid ? `Validator ${short}` : undefined, 'node')
  if (!valid)
    return (
      <LazyPart title="The page">
        <NoNode />
      </LazyPart>
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
          <LazyExtra>
            <Status {...node} />
          </LazyExtra>
        }
        identity={{ value: nodeId, name: 'node id' }}
        actions={
          <>
            <LabelForm key={`${nodeId}/${label}`} id={nodeId} label={label} noun="node" />
            <Watch kind="validator" place={network} id={nodeId} />
            <LazyExtra>
              <AddToFleet network={network} memberId={nodeId} />
            </LazyExtra>
          </>
        }
      />
      <LazyPart title="The figures" fallback={<Figures figures={waitingFigures} />}>
        <HeadFigures {...node} />
      </LazyPart>
      <Parts key={nodeId} {...node} />
    </>
  )
}
