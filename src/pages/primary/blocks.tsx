import { Suspense } from 'react'
import { type LoaderFunctionArgs } from 'react-router'
import { lazy } from '../../components/lazy.ts'
import { chainLabel } from '../../lib/primary-chains.ts'
import { usePrimaryPlace } from '../shared/network-gates.tsx'
import { StandIn } from './stand-in.tsx'

const part = () => import('./block-list.tsx')
const BlockList = lazy(() => part().then((module) => ({ default: module.BlockList })))

/** The code of the page's content, and what that asks for first. */
export function loader(args: LoaderFunctionArgs): null {
  part().then(
    ({ load }) => load(args),
    // The page itself says so when its code can't be fetched.
    () => undefined,
  )
  return null
}

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
