import { Suspense } from 'react'
import { useParams } from 'react-router'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { usePrimaryPlace } from '../shared/network-gates.tsx'
import { StandIn } from './stand-in.tsx'

const part = () => import('./block-view.tsx')
const BlockView = lazy(() => part().then((module) => ({ default: module.BlockView })))

export const loader = viewLoader(part)

/** One block of the P-, X- or C-chain: its header, proposer, neighbours and transactions. */
export function Component() {
  const { blockId = '' } = useParams()
  const { network, chain } = usePrimaryPlace()
  return (
    <Suspense
      fallback={
        <StandIn
          network={network}
          chain={chain}
          document={`Block ${blockId} · ${chainLabel(chain)}`}
          heading={`Block ${formatInteger(blockId)}`}
        />
      }
    >
      <BlockView />
    </Suspense>
  )
}
