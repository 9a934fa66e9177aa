import { Suspense } from 'react'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { usePrimaryPlace } from '../shared/network-gates.tsx'
import { StandIn } from './stand-in.tsx'

const part = () => import('./transaction-list.tsx')
const TransactionList = lazy(() => part().then((module) => ({ default: module.TransactionList })))

export const loader = viewLoader(part)

/** The transactions of the P-, X- or C-chain, latest first, narrowed as the interface allows. */
export function Component() {
  const { network, chain } = usePrimaryPlace()
  return (
    <Suspense
      fallback={
        <StandIn
          network={network}
          document={`Transactions · ${chainLabel(chain)}`}
          heading={chain === 'c-chain' ? 'Atomic transactions' : 'Transactions'}
        />
      }
    >
      <TransactionList />
    </Suspense>
  )
}
