import { Suspense } from 'react'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { usePrimaryPlace } from '../shared/network-gates.tsx'
import { StandIn } from './stand-in.tsx'

const part = () => import('./block-list.tsx')
const BlockList = lazy(() => part().then((module) => ({ default: module.BlockList })))

export const loader = viewLoader(part)

/** The blocks of the P-, X- or C-chain, latest first, without end. */
export function Component() {
  const { network, chain } = usePrimaryPlace()
  return (
    <Suspense
      fallback={<StandIn network={network} document={`Blocks · ${chainLabel(chain)}`} heading="Blocks" />}
    >
      <BlockList />
    </Suspense>
  )
}
