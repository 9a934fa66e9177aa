import { Suspense } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { StandIn } from './stand-in.tsx'

const part = () => import('./vertices-view.tsx')
const VerticesView = lazy(() => part().then((module) => ({ default: module.VerticesView })))

export const loader = viewLoader(part)

/** The vertices of the X-chain, from before it became a chain of blocks: as a list and drawn as a graph. */
export function Component() {
  const network = useCurrentNetwork()
  return (
    <Suspense fallback={<StandIn network={network} document="Vertices" heading="Vertices" />}>
      <VerticesView />
    </Suspense>
  )
}
