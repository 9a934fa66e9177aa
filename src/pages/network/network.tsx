import { Suspense } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { lazy, viewLoader } from '../../components/lazy.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { useNetworkLabel } from '../shared/network-crumb.tsx'

const part = () => import('./network-view.tsx')
const NetworkView = lazy(() => part().then((module) => ({ default: module.NetworkView })))

export const loader = viewLoader(part)

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
