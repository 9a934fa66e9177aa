import { Suspense } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { StandIn } from '../primary/stand-in.tsx'

const part = () => import('./subnet-list.tsx')
const SubnetList = lazy(() => part().then((module) => ({ default: module.SubnetList })))

export const loader = viewLoader(part)

/** Every subnet of a network with its owners and chains, latest first. */
export function Component() {
  const network = useCurrentNetwork()
  return (
    <Suspense fallback={<StandIn network={network} document="Subnets" heading="Subnets" />}>
      <SubnetList />
    </Suspense>
  )
}
