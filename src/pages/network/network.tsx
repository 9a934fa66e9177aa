import { Suspense } from 'react'
import type { LoaderFunctionArgs } from 'react-router'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { useNetworkLabel } from '../shared/network-crumb.tsx'

const part = () => import('./network-view.tsx')
const NetworkView = lazy(() => part().then((module) => ({ default: module.NetworkView })))

/** The code of the page's content, and what that asks for first. */
export function loader(args: LoaderFunctionArgs): null {
  part().then(
    ({ load }) => load(args),
    // The page itself says so when its code can't be fetched.
    () => undefined,
  )
  return null
}

/** The primary network at a glance: its figures, how its chains stand, and their newest blocks. */
export function Component() {
  const label = useNetworkLabel(useCurrentNetwork())
  return (
    <Suspense
      fallback={
        <>
          <PageTitle
            document={`Primary Network · ${label}`}
            heading="Primary Network"
            beside={<span className="text-muted">{label}</span>}
          />
          <SkeletonRows count={18} />
        </>
      }
    >
      <NetworkView />
    </Suspense>
  )
}
