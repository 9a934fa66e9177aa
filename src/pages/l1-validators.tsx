import { lazy, Suspense, useMemo, useState } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { z } from 'zod'
import { useCurrentNetwork, useOffers } from '../api/current.ts'
import { l1ValidatorsQuery, networkOf } from '../api/primary-validators.ts'
import { queryClient } from '../api/query-client.ts'
import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { EmptyState } from '../components/states.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useSearchState } from '../components/use-search-state.ts'
import { readSearch } from '../lib/search-params.ts'
import { shorten } from '../lib/text.ts'
import { paths } from '../paths.ts'
import { Chip } from './address/range-filter.tsx'
import { L1List } from './l1-validators/list.tsx'
import { SubnetSelect } from './l1-validators/subnet-select.tsx'
import { NetworkCrumb, useNetworkLabel } from './network-parts/crumb.tsx'
import { isNodeId } from './validators/feeds.ts'

const StopSafety = lazy(() =>
  import('./l1-validators/safety.tsx').then((tab) => ({ default: tab.StopSafety })),
)

const searchSchema = z.object({
  tab: z.enum(['validators', 'safety']).catch('validators'),
  subnet: z.string().max(60).catch(''),
  node: z.string().max(60).catch(''),
  inactive: z.enum(['hidden', 'shown']).catch('hidden'),
  quorum: z.coerce.number<string>().min(0).max(100).catch(67),
})
type Search = z.infer<typeof searchSchema>

const filtersOf = ({ subnet, node, inactive }: Search) => ({
  ...(subnet !== '' && { subnetId: subnet }),
  ...(isNodeId(node) && { nodeId: node }),
  ...(inactive === 'shown' && { includeInactiveL1Validators: true }),
})

/** The first page of the list that the URL names. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const search = readSearch(searchSchema, new URL(request.url).searchParams)
  if (network && search.tab === 'validators')
    void queryClient.prefetchInfiniteQuery(l1ValidatorsQuery(network, filtersOf(search)))
  return null
}

/** Narrows the list to one node, by its whole id. */
function NodeForm({ onNode }: { onNode: (nodeId: string) => void }) {
  const [text, setText] = useState('')
  const nodeId = text.trim()
  return (
    <form
      className="flex items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isNodeId(nodeId)) return
        onNode(nodeId)
        setText('')
      }}
    >
      <input
        className="field h-7 w-44"
        aria-label="Node id"
        placeholder="NodeID-…"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <button type="submit" className="control control-small" disabled={!isNodeId(nodeId)}>
        Filter
      </button>
    </form>
  )
}

/** The validators of L1s with weight, balance and when it runs out; and which nodes of one may stop. */
export function Component() {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const [search, setSearch] = useSearchState(searchSchema)
  const { tab, subnet, node, inactive, quorum } = search
  const offered = useOffers('getStopSafety')
  const filters = useMemo(
    () => filtersOf({ tab, subnet, node, inactive, quorum }),
    [tab, subnet, node, inactive, quorum],
  )
  const change = (patch: Partial<Search>): void => setSearch(patch, { push: true })
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={`L1 validators · ${label}`}
        heading="L1 validators"
        actions={
          <Link to={paths.validators(network)} className="control">
            Validators
          </Link>
        }
      />
      <Tabs
        label="Views of L1 validators"
        current={tab}
        onChange={(next) => setSearch({ tab: next })}
        tabs={[
          { id: 'validators' as const, label: 'Validators' },
          ...(offered ? [{ id: 'safety' as const, label: 'Which may stop' }] : []),
        ]}
      >
        {tab === 'safety' ? (
          <>
            <div className="pb-4">
              <SubnetSelect
                network={network}
                value={subnet}
                every="Choose a subnet"
                withAll
                onChange={(next) => change({ subnet: next })}
              />
            </div>
            {subnet === '' ? (
              <EmptyState title="Which subnet?">
                Choose one: from its weights and a quorum follows which of its nodes may be stopped while the
                others go on without them.
              </EmptyState>
            ) : (
              <Suspense fallback={<SkeletonRows count={14} />}>
                <StopSafety
                  network={network}
                  subnetId={subnet}
                  quorum={quorum}
                  onQuorum={(next) => setSearch({ quorum: next })}
                />
              </Suspense>
            )}
          </>
        ) : (
          <L1List
            network={network}
            filters={filters}
            none={
              inactive === 'shown'
                ? 'None of this network fits the filters.'
                : 'None is active. Inactive and removed ones can be shown too.'
            }
            tools={
              <>
                <SubnetSelect
                  network={network}
                  value={subnet}
                  every="Every L1"
                  withAll={false}
                  onChange={(next) => change({ subnet: next })}
                />
                <NodeForm onNode={(next) => change({ node: next })} />
                <button
                  type="button"
                  className="control control-small"
                  aria-pressed={inactive === 'shown'}
                  onClick={() => setSearch({ inactive: inactive === 'shown' ? 'hidden' : 'shown' })}
                >
                  {inactive === 'shown' ? 'Inactive ones are shown' : 'Show inactive ones too'}
                </button>
                {isNodeId(node) && <Chip text={shorten(node, 13)} onRemove={() => change({ node: '' })} />}
              </>
            }
          />
        )}
      </Tabs>
    </>
  )
}
