import { useParams, type LoaderFunctionArgs } from 'react-router'
import { catalogue } from './catalogue.ts'
import { Multiples } from './multiples.tsx'
import { useChainSubject } from './chain-subject.tsx'
import { prefetchMultiples } from './subject.tsx'

export function loader({ params, request }: LoaderFunctionArgs): null {
  prefetchMultiples(params['chainId'] ?? '', catalogue, request.url)
  return null
}

/** All metrics of a chain. */
export function Component() {
  const { chainId = '' } = useParams()
  return <Multiples subject={useChainSubject(chainId)} />
}
