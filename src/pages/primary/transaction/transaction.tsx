import { Suspense } from 'react'
import { useParams } from 'react-router'
import { lazy, viewLoader } from '../../../components/lazy.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { shorten } from '../../../lib/text.ts'
import { usePrimaryPlace } from '../../shared/network-gates.tsx'
import { StandIn } from '../stand-in.tsx'

const part = () => import('./transaction-view.tsx')
const TransactionView = lazy(() => part().then((module) => ({ default: module.TransactionView })))

export const loader = viewLoader(part)

/** One transaction of the P-, X- or C-chain with its flow, details and bytes. */
export function Component() {
  const { txHash = '' } = useParams()
  const { network, chain } = usePrimaryPlace()
  return (
    <Suspense
      fallback={
        <StandIn
          network={network}
          chain={chain}
          document={`Transaction ${shorten(txHash)} · ${chainLabel(chain)}`}
          heading="Transaction"
          identity={{ value: txHash, name: 'transaction id' }}
        />
      }
    >
      <TransactionView />
    </Suspense>
  )
}
