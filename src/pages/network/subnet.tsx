import { Suspense } from 'react'
import { useParams } from 'react-router'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { shorten } from '../../lib/text.ts'
import { StandIn } from '../primary/stand-in.tsx'

const part = () => import('./subnet-view.tsx')
const SubnetView = lazy(() => part().then((module) => ({ default: module.SubnetView })))

export const loader = viewLoader(part)

/** One subnet: its owners, its conversion to an L1, its validators and its blockchains. */
export function Component() {
  const { subnetId = '' } = useParams()
  const network = useCurrentNetwork()
  return (
    <Suspense
      fallback={
        <StandIn
          network={network}
          document={`Subnet ${shorten(subnetId)}`}
          heading="Subnet"
          identity={{ value: subnetId, name: 'subnet id' }}
        />
      }
    >
      <SubnetView />
    </Suspense>
  )
}
