import { useParams, type LoaderFunctionArgs } from 'react-router'
import { MetricView } from './metric-view.tsx'
import { networkCatalogue } from './network-catalogue.ts'
import { useNetworkSubject } from './network-subject.tsx'
import { prefetchMetric } from './subject.tsx'

export function loader({ params, request }: LoaderFunctionArgs): null {
  prefetchMetric(params['network'] ?? '', networkCatalogue, params['metric'], request.url)
  return null
}

/** One metric of a primary network and its L1s. */
export function Component() {
  const { network = '', metric = '' } = useParams()
  return <MetricView subject={useNetworkSubject(network)} name={metric} />
}
