import { Suspense } from 'react'
import { type LoaderFunctionArgs } from 'react-router'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { StandIn } from './stand-in.tsx'

const part = () => import('./vertices-view.tsx')
const VerticesView = lazy(() => part().then((module) => ({ default: module.VerticesView })))

/** The code of the page's content, and what that asks for first. */
export function loader(args: LoaderFunctionArgs): null {
  part().then(
    ({ load }) => load(args),
    // The page itself says so when its code can't be fetched.
    () => undefined,
  )
  return null
}

/** The vertices of the X-chain, from before it became a chain of blocks: as a list and drawn as a graph. */
export function Component() {
  const network = useCurrentNetwork()
  return (
    <Suspense fallback={<StandIn network={network} document="Vertices" heading="Vertices" />}>
      <VerticesView />
    </Suspense>
  )
}
