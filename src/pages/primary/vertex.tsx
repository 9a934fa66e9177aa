import { Suspense } from 'react'
import { useParams } from 'react-router'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { shorten } from '../../lib/text.ts'
import { StandIn } from './stand-in.tsx'

const part = () => import('./vertex-view.tsx')
const VertexView = lazy(() => part().then((module) => ({ default: module.VertexView })))

export const loader = viewLoader(part)

/** One vertex of the X-chain: its parents and children, its surroundings drawn, its transactions. */
export function Component() {
  const { vertexHash = '' } = useParams()
  const network = useCurrentNetwork()
  return (
    <Suspense
      fallback={
        <StandIn
          network={network}
          chain="x-chain"
          document={`Vertex ${shorten(vertexHash)} · X-Chain`}
          heading="Vertex"
          identity={{ value: vertexHash, name: 'vertex id' }}
        />
      }
    >
      <VertexView />
    </Suspense>
  )
}
