import { Suspense } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { useCurrentNetwork } from '../../../api/current.ts'
import { lazy } from '../../../components/lazy.ts'
import { shorten } from '../../../lib/text.ts'
import { StandIn } from '../../primary/stand-in.tsx'

const part = () => import('./blockchain-view.tsx')
const BlockchainView = lazy(() => part().then((module) => ({ default: module.BlockchainView })))

/** The code of the page's content, and what that asks for first. */
export function loader(args: LoaderFunctionArgs): null {
  part().then(
    ({ load }) => load(args),
    // The page itself says so when its code can't be fetched.
    () => undefined,
  )
  return null
}

/** One blockchain: what it is, its genesis as tables, its allocations, and another chain beside it. */
export function Component() {
  const { blockchainId = '' } = useParams()
  const network = useCurrentNetwork()
  return (
    <Suspense
      fallback={
        <StandIn
          network={network}
          document={`${shorten(blockchainId)} · Blockchain`}
          heading="Blockchain"
          identity={{ value: blockchainId, name: 'blockchain id' }}
        />
      }
    >
      <BlockchainView />
    </Suspense>
  )
}
