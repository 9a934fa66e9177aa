import { Suspense } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { shorten } from '../../lib/text.ts'
import { StandIn } from './stand-in.tsx'

const part = () => import('./vertex-view.tsx')
const VertexView = lazy(() => part().then((module) => ({ default: module.VertexView })))

/** The code of the page's content, and what that asks for first. */
export function loader(args: LoaderFunctionArgs): null {
  part().then(
    ({ load }) => load(args),
    // The page itself says so when its code can't be fetched.
    () => undefined,
  )
  return null
}

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
