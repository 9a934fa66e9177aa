import { lazy, Suspense } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { useCurrentNetwork } from '../api/current.ts'
import { networkOf, validatorsQuery } from '../api/primary-validators.ts'
import { queryClient } from '../api/query-client.ts'
import { useStore } from '../components/hooks.ts'
import { Link } from '../components/link.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useSearchState } from '../components/use-search-state.ts'
import { readSearch } from '../lib/search-params.ts'
import { watchedNodes } from '../lib/watched-nodes.ts'
import { paths } from '../paths.ts'
import { NetworkCrumb, useNetworkLabel } from './network-parts/crumb.tsx'
import { filtersOf, validatorsSchema } from './validators/filters.ts'
import { ValidatorList } from './validators/list.tsx'

const WatchList = lazy(() =>
  import('./validators/watch-list.tsx').then((tab) => ({ default: tab.WatchList })),
)

/** The first page of the list that the URL names. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const search = readSearch(validatorsSchema, new URL(request.url).searchParams)
  if (network && search.list !== 'watched')
    void queryClient.prefetchInfiniteQuery(validatorsQuery(network, filtersOf(search)))
  return null
}

/** The validators of a network by how they stand, and those that this browser watches. */
export function Component() {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const [{ list }, setSearch] = useSearchState(validatorsSchema)
  const watched = useStore(watchedNodes).filter((one) => one.network === network).length
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={`Validators · ${label}`}
        heading="Validators"
        actions={
          <Link to={paths.l1Validators(network)} className="control">
            L1 validators
          </Link>
        }
      />
      <Tabs
        label="Lists of validators"
        current={list}
        onChange={(next) => setSearch({ list: next })}
        tabs={[
          { id: 'active' as const, label: 'Active' },
          { id: 'pending' as const, label: 'Pending' },
          { id: 'completed' as const, label: 'Completed' },
          { id: 'removed' as const, label: 'Removed' },
          { id: 'watched' as const, label: 'Watched', ...(watched > 0 && { count: watched }) },
        ]}
      >
        {list === 'watched' ? (
          <Suspense fallback={<SkeletonRows count={8} />}>
            <WatchList network={network} />
          </Suspense>
        ) : (
          <ValidatorList key={list} network={network} />
        )}
      </Tabs>
    </>
  )
}
