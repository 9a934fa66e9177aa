import type { ReactNode } from 'react'
import { pages, type PageName } from '../../../contract/pages.ts'
import { hasOperation } from '../../../contract/profile.ts'
import { useOffers, useProfile } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'

const LackingPart = lazy(() => import('./lacking-page.tsx'), 'LackingPart')

/** A part that shows what the page `name` does, such as the first rows of its list; else what the deployment lacks. */
export function OfferedPart({ name, children }: { name: PageName; children: ReactNode }) {
  const { needs = '' } = pages[name]
  const offered = useOffers(needs)
  if (offered) return children
  return (
    <LazyPart title="This part" fallback={<SkeletonRows count={3} />}>
      <LackingPart name={name} />
    </LazyPart>
  )
}

/** Says where a page comes from if the service lacks its operation and something else stands in (substitutes.ts). */
export function SubstituteNote({ name, children }: { name: PageName; children: ReactNode }) {
  const { needs = '' } = pages[name]
  const profile = useProfile()
  if (profile === undefined || hasOperation(profile, needs)) return null
  return <p className="-mt-2 pb-3 text-muted">{children}</p>
}
