import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { useChainFacts } from '../api/current.ts'
import { PageTitle } from '../components/page-title.tsx'
import { SkeletonRows } from '../components/skeleton.tsx'
import { ChainCrumb } from './parts/crumbs.tsx'

// The list's code comes right behind the page's: together they would pass what a page may weigh.
const list = import('./tokens-parts/token-list.tsx').then(({ TokenList }) => ({ default: TokenList }))
const TokenList = lazy(() => list)

/** The token contracts of a chain. */
export function Component() {
  const { chainId = '' } = useParams()
  const chain = useChainFacts(chainId)
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={`Tokens · ${chain.name}`} heading="Tokens" />
      <Suspense fallback={<SkeletonRows count={20} />}>
        <TokenList chain={chain} />
      </Suspense>
    </>
  )
}
