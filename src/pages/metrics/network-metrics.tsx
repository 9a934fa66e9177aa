import { useParams, type LoaderFunctionArgs } from 'react-router'
import { networkOf, useOffers } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'
import { Multiples } from './multiples.tsx'
import { networkCatalogue } from './network-catalogue.ts'
import { useNetworkSubject } from './network-subject.tsx'
import { prefetchMultiples } from './subject.tsx'

const Breakdowns = lazy(() => import('./breakdowns.tsx'), 'Breakdowns')

export function loader({ params, request }: LoaderFunctionArgs): null {
  prefetchMultiples(params['network'] ?? '', networkCatalogue, request.url)
  return null
}

/** All metrics of a primary network and its L1s. */
export function Component() {
  const { network = '' } = useParams()
  const subject = useNetworkSubject(network)
  const name = networkOf(subject.facts.chainId)
  const offered = useOffers('getNetworkBreakdown', name)
  return (
    <>
      <Multiples subject={subject} />
      {offered && name !== undefined && (
        <LazyPart title="The series in parts" fallback={null}>
          <Breakdowns network={name} name={subject.facts.name} />
        </LazyPart>
      )}
    </>
  )
}
