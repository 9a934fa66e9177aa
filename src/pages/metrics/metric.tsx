import { useParams, type LoaderFunctionArgs } from 'react-router'
import { catalogue } from './catalogue.ts'
import { MetricView } from './metric-view.tsx'
import { useChainSubject } from './chain-subject.tsx'
import { prefetchMetric } from './subject.tsx'

export function loader({ params, request }: LoaderFunctionArgs): null {
  prefetchMetric(params['chainId'] ?? '', catalogue, params['metric'], request.url)
  return null
}

/** One metric of a chain. */
export function Component() {
  const { chainId = '', metric = '' } = useParams()
  return <MetricView subject={useChainSubject(chainId)} name={metric} />
}
