import { useParams } from 'react-router'
import { useChainFacts } from '../api/current.ts'
import { PageTitle } from '../components/page-title.tsx'
import { ChainCrumb } from './parts/crumbs.tsx'

export function loader(): null {
  return null
}

/** All metrics of a chain. */
export function Component() {
  const { chainId = '' } = useParams()
  const chain = useChainFacts(chainId)
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={`Metrics · ${chain.name}`} heading="Metrics" />
    </>
  )
}
