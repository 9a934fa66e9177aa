import type { LoaderFunctionArgs } from 'react-router'
import { z } from 'zod'
import { networkOf, useCurrentNetwork, useOffers } from '../../../api/current.ts'
import { lazy } from '../../../components/lazy.ts'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { paths } from '../../../lib/paths.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'

const tabSchema = z.object({ tab: z.enum(['validators', 'safety']).catch('validators') })

const loadList = () => import('./list-tab.tsx')
const ListTab = lazy(() => loadList().then((all) => ({ default: all.ListTab })))
const SafetyTab = lazy(() => import('./safety-tab.tsx').then((all) => ({ default: all.SafetyTab })))

/** The first page of the list that the URL names, under way while its table is still coming. */
export function loader({ params, request }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const search = new URL(request.url).searchParams
  if (!network || readSearch(tabSchema, search).tab !== 'validators') return null
  // The list itself tries again, and shows what is wrong.
  import('./ahead.ts').then((all) => all.prefetchL1Validators(network, search)).catch(() => undefined)
  loadList().catch(() => undefined)
  return null
}

/** The validators of L1s with weight, balance and when it runs out; and which nodes of one may stop. */
export function Component() {
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const [{ tab }, setSearch] = useSearchState(tabSchema)
  const offered = useOffers('getStopSafety')
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
        <LazyPart key={tab} title="The list" fallback={<SkeletonRows count={20} />}>
          {tab === 'safety' ? <SafetyTab network={network} /> : <ListTab network={network} />}
        </LazyPart>
      </Tabs>
    </>
  )
}
