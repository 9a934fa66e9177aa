import { Suspense } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { lazy } from '../../../components/lazy.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import { shorten } from '../../../lib/text.ts'
import { usePrimaryPlace } from '../../shared/network-gates.tsx'
import { StandIn } from '../stand-in.tsx'

const part = () => import('./transaction-view.tsx')
const TransactionView = lazy(() => part().then((module) => ({ default: module.TransactionView })))

/** The code of the page's content, and what that asks for first. */
export function loader(args: LoaderFunctionArgs): null {
  part().then(
    ({ load }) => load(args),
    // The page itself says so when its code can't be fetched.
    () => undefined,
  )
  return null
}

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
