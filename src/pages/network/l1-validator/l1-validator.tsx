import { useParams, type LoaderFunctionArgs } from 'react-router'
import { networkOf, useCurrentNetwork } from '../../../api/current.ts'
import { Figures } from '../../../components/figures.tsx'
import { lazy } from '../../../components/lazy.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { LazyExtra, LazyPart } from '../../../components/part.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { shorten } from '../../../lib/text.ts'
import { waitingFigures } from './waiting.ts'
import { NetworkCrumb, useNetworkLabel } from '../../shared/network-crumb.tsx'

const loadBody = () => import('./body.tsx')
const State = lazy(() => loadBody().then((all) => ({ default: all.State })))
const Neighbours = lazy(() => loadBody().then((all) => ({ default: all.Neighbours })))
const Body = lazy(() => loadBody().then((all) => ({ default: all.Body })))

/** The validator itself, under way while what shows it is still coming. */
export function loader({ params }: LoaderFunctionArgs): null {
  const network = networkOf(params['network'])
  const validationId = params['validationId'] ?? ''
  if (!network) return null
  // The body itself tries again, and shows what is wrong.
  import('./ahead.ts').then((all) => all.prefetchL1Validator(network, validationId)).catch(() => undefined)
  loadBody().catch(() => undefined)
  return null
}

/** One validation of an L1: its weight, its balance and when it runs out, and what changed them. */
export function Component() {
  const { validationId = '' } = useParams()
  const network = useCurrentNetwork()
  const label = useNetworkLabel(network)
  const short = shorten(validationId)
  const validation = { network, validationId }
  return (
    <>
      <NetworkCrumb network={network} />
      <PageTitle
        document={`L1 validator ${short} · ${label}`}
        heading="L1 validator"
        identity={{ value: validationId, name: 'validation id' }}
        beside={
          <LazyExtra>
            <State {...validation} />
          </LazyExtra>
        }
        actions={
          // On a phone it has a row of its own, whose height is kept until it has come.
          <span className="flex min-h-8">
            <LazyExtra>
              <Neighbours {...validation} />
            </LazyExtra>
          </span>
        }
      />
      <LazyPart
        title="The L1 validator"
        fallback={
          <>
            <Figures figures={waitingFigures} />
            <SkeletonRows count={12} />
          </>
        }
      >
        <Body key={validationId} {...validation} />
      </LazyPart>
    </>
  )
}
