import { Suspense } from 'react'
import { useParams } from 'react-router'
import { useCurrentNetwork } from '../../../api/current.ts'
import { lazy, viewLoader } from '../../../components/lazy.ts'
import { shorten } from '../../../lib/text.ts'
import { StandIn } from '../../primary/stand-in.tsx'

const part = () => import('./blockchain-view.tsx')
const BlockchainView = lazy(() => part().then((module) => ({ default: module.BlockchainView })))

export const loader = viewLoader(part)

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
