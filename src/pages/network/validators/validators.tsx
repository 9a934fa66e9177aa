import type { LoaderFunctionArgs } from 'react-router'
import { z } from 'zod'
import { networkOf, useCurrentNetwork } from '../../../api/current.ts'
import { useStore } from '../../../components/hooks.ts'
import { lazy } from '../../../components/lazy.ts'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { watchedNodes } from '../../../lib/storage/watched-nodes.ts'
import { paths } from '../../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'

/** Which list is looked at; what narrows and sorts it is the list's own matter. */
const listSchema = z.object({
  list: z.enum(['active', 'pending', 'completed', 'removed', 'watched']).catch('active'),
})

// The table and its filters are code of their own, so that the page stands while they come.
const loadList = () => import('./list.tsx')
const ValidatorList = lazy(() => loadList().then((all) => ({ default: all.ValidatorList })))
const WatchList = lazy(() => import('./watch-list.tsx').then((all) => ({ default: all.WatchList })))

/** The first page of the list that the URL names, under way while its table is still coming. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const search = new URL(request.url).searchParams
  if (!network || readSearch(listSchema, search).list === 'watched') return null
  // The list itself tries again, and shows what is wrong.
  import('./ahead.ts').then((all) => all.prefetchValidators(network, search)).catch(() => undefined)
  loadList().catch(() => undefined)
  return null
}

/** The validators of a network by how they stand, and those that this browser watches. */
export function Component() {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const [{ list }, setSearch] = useSearchState(listSchema)
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
        <LazyPart key={list} title="The list" fallback={<SkeletonRows count={20} />}>
          {list === 'watched' ? (
            <WatchList network={network} />
          ) : (
            <ValidatorList key={list} network={network} />
          )}
        </LazyPart>
      </Tabs>
    </>
  )
}
