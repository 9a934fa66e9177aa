import { Suspense } from 'react'
import { type LoaderFunctionArgs } from 'react-router'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { StandIn } from '../primary/stand-in.tsx'

const part = () => import('./subnet-list.tsx')
const SubnetList = lazy(() => part().then((module) => ({ default: module.SubnetList })))

/** The code of the page's content, and what that asks for first. */
export function loader(args: LoaderFunctionArgs): null {
  part().then(
    ({ load }) => load(args),
    // The page itself says so when its code can't be fetched.
    () => undefined,
  )
  return null
}

/** Every subnet of a network with its owners and chains, latest first. */
export function Component() {
  const network = useCurrentNetwork()
  return (
    <Suspense fallback={<StandIn network={network} document="Subnets" heading="Subnets" />}>
      <SubnetList />
    </Suspense>
  )
}
