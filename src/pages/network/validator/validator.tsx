import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import { networkOf, useCurrentNetwork, useOffered } from '../../../api/current.ts'
import { nodeFeedQuery } from '../../../api/network/staking.ts'
import { validationsQuery } from '../../../api/network/validators.ts'
import { outlookQuery } from '../../../api/watch/outlook.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useStore } from '../../../components/hooks.ts'
import { Identicon } from '../../../components/identicon.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary, LazyPart } from '../../../components/part.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { labels } from '../../../lib/storage/labels.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'
import { NodeNote } from '../../shared/node-note.tsx'
import { LabelForm } from '../../shared/marks/label-form.tsx'
import { Watch } from '../../shared/marks/watch.tsx'
import { WarnMe } from '../../watch/warn/warn-me.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import type { Node } from './node.ts'
import { isNodeId } from '../validators/is-node-id.ts'
import { HeadFigures, useLeadingTerm } from './figures.tsx'
import { leadingTerm } from './leading-term.ts'
import { MoreMenu, Status } from './status.tsx'
import { ValidatorVerdict } from './verdict.tsx'
import { DelegatorsTab } from './delegators-tab.tsx'
import { BlocksTab } from './blocks-tab.tsx'
import { lazy } from '../../../components/lazy.ts'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { Outlook } from '../../watch/outlook/outlook.tsx'

const HistoryTab = lazy(() => import('./history-tab.tsx'), 'HistoryTab')
const TermsTab = lazy(() => import('./terms-tab.tsx'), 'TermsTab')
const RewardsTab = lazy(() => import('./rewards-tab.tsx'), 'RewardsTab')
const L1Tab = lazy(() => import('./l1-tab.tsx'), 'L1Tab')

const tabIds = ['outlook', 'delegators', 'rewards', 'history', 'terms', 'blocks', 'l1'] as const
type TabId = (typeof tabIds)[number]
const tabSchema = z.object({ tab: z.catch(z.optional(z.enum(tabIds)), undefined) })

const parts = {
  outlook: OutlookTab,
  delegators: DelegatorsTab,
  rewards: RewardsTab,
  history: HistoryTab,
  terms: TermsTab,
  blocks: BlocksTab,
  l1: L1Tab,
} as const satisfies Record<TabId, (node: Node) => React.ReactNode>

/** Requests the node's validations, feed and outlook. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const nodeId = params['nodeId'] ?? ''
  if (!network || !isNodeId(nodeId)) return null
  void queryClient.prefetchQuery(nodeFeedQuery(network, nodeId))
  const hasOutlook = new URL(request.url).searchParams.get('tab') === null
  queryClient.fetchInfiniteQuery(validationsQuery(network, nodeId)).then(
    ({ pages }) => {
      // Of a node that does not validate now there is none.
      const term = leadingTerm(pages.flatMap((page) => page.validators))
      if (hasOutlook && term?.validationStatus === 'active' && term.isIndexed !== false)
        void queryClient.prefetchQuery(outlookQuery(network, nodeId))
    },
    // The page shows what failed.
    () => undefined,
  )
  return null
}

/** The operation that a tab needs. */
const needs = {
  outlook: 'getValidatorOutlook',
  delegators: 'listDelegators',
  rewards: 'listRewards',
  history: 'listStakeHistory',
  terms: 'listNodeValidations',
  blocks: 'listNodeBlocks',
  l1: 'listL1Validators',
} as const

function Parts(node: Node) {
  const offered = useOffered()
  const [search, setSearch] = useSearchState(tabSchema)
  const { term } = useLeadingTerm(node)
  // Only a running validation that is indexed has an outlook; of the others, what became of them comes first.
  const hasNone = term !== undefined && (term?.validationStatus !== 'active' || term.isIndexed === false)
  const tab = search.tab ?? (hasNone || !offered(needs.outlook) ? 'terms' : 'outlook')
  const Part = parts[tab]
  return (
    <div className="pt-4">
      <Tabs
        label="Parts of the validator"
        current={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          { id: 'outlook' as const, label: 'Outlook' },
          { id: 'delegators' as const, label: 'Delegators' },
          { id: 'rewards' as const, label: 'Rewards' },
          { id: 'history' as const, label: 'Over time' },
          { id: 'terms' as const, label: 'Validations' },
          { id: 'blocks' as const, label: 'Blocks proposed' },
          { id: 'l1' as const, label: 'L1 validations' },
        ].filter(({ id }) => id === tab || offered(needs[id]))}
      >
        <LazyPart key={tab} title="This part of the node" fallback={<SkeletonRows count={20} />}>
          <Part {...node} />
        </LazyPart>
      </Tabs>
    </div>
  )
}

function TermNote(node: Node) {
  const [{ tab = 'terms' }] = useSearchState(tabSchema)
  const { term } = useLeadingTerm(node)
  // These lists say it themselves; that of validations is the open one of a node that is not indexed.
  const isSaid = tab === 'terms' || tab === 'delegators'
  return <NodeNote isIndexed={isSaid ? undefined : term?.isIndexed} />
}

/** A node: whether it is well, what it earns, its delegators, history, validations and proposed blocks. */
export function Component() {
  const { nodeId = '' } = useParams()
  const network = useCurrentNetwork()
  const networkLabel = useNetworkLabel(network)
  const valid = isNodeId(nodeId)
  const label = useStore(labels, (all) => all[nodeId] ?? '')
  const short = label || shorten(nodeId, 13)
  useRemember(paths.validator(network, nodeId), valid ? `Validator ${short}` : undefined, 'node')
  if (!valid) return <NoNode />
  const node = { network, nodeId }
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={titleOf('validator', { nodeId: short, network: networkLabel })}
        heading={
          <span className="flex items-center gap-2.5">
            <Identicon value={nodeId} size={20} />
            {label || 'Validator'}
          </span>
        }
        beside={<Status {...node} />}
        identity={{ value: nodeId, name: 'node ID' }}
        actions={
          <>
            <LabelForm key={`${nodeId}/${label}`} id={nodeId} label={label} noun="node" />
            <Watch kind="validator" place={network} id={nodeId} />
            <WarnMe subject={{ kind: 'validator', network, id: nodeId, name: short }} />
            <MoreMenu {...node} />
          </>
        }
      />
      <Boundary title="The verdict">
        <ValidatorVerdict {...node} />
      </Boundary>
      <TermNote {...node} />
      <Boundary title="The figures">
        <HeadFigures {...node} />
      </Boundary>
      <Parts key={nodeId} {...node} />
    </>
  )
}

/** The page of an invalid node ID. */
function NoNode() {
  return (
    <>
      <NetworkCrumb network={useCurrentNetwork()} />
      <PageTitle document="Validator" heading="Invalid node ID" />
      <EmptyState title="A node ID begins with NodeID-">Check the link, or use the search above.</EmptyState>
    </>
  )
}

/** What the running validation of a node can still become. */
function OutlookTab(node: Node) {
  const { term, error } = useLeadingTerm(node)
  if (term === undefined && !error) return <SkeletonRows count={14} />
  if (term !== undefined && term?.validationStatus !== 'active')
    return (
      <EmptyState title="No current validation">
        This node does not validate the Primary Network now. Past validations are under Validations.
      </EmptyState>
    )
  if (term?.isIndexed === false)
    return (
      <EmptyState title="Not indexed yet">
        What it can still become is known once the P-Chain is indexed up to its validation.
      </EmptyState>
    )
  return <Outlook {...node} />
}
