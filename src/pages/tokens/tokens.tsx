import { useParams } from 'react-router'
import { useChainFacts } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { ChainCrumb } from '../shared/crumbs.tsx'

const load = () => import('./token-list.tsx')
const TokenList = lazy(() => load().then((part) => ({ default: part.TokenList })))

/** Fetches the code of the list, which comes right behind the page's own. */
export function loader(): null {
  load().catch(() => {
    // It is told where the list would be drawn.
  })
  return null
}

/** The token contracts of a chain. */
export function Component() {
  const { chainId = '' } = useParams()
  const chain = useChainFacts(chainId)
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={`Tokens · ${chain.name}`} heading="Tokens" />
      <LazyPart title="The list of tokens" fallback={<SkeletonRows count={20} />}>
        <TokenList chain={chain} />
      </LazyPart>
    </>
  )
}
