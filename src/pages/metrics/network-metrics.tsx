import { useParams, type LoaderFunctionArgs } from 'react-router'
import { Multiples } from './multiples.tsx'
import { networkCatalogue } from './network-catalogue.ts'
import { useNetworkSubject } from './network-subject.tsx'
import { prefetchMultiples } from './subject.tsx'

export function loader({ params, request }: LoaderFunctionArgs): null {
  prefetchMultiples(params['network'] ?? '', networkCatalogue, request.url)
  return null
}

/** All metrics of a primary network and its L1s. */
export function Component() {
  const { network = '' } = useParams()
  return <Multiples subject={useNetworkSubject(network)} />
}
