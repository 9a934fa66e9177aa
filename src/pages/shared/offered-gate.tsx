import type { ReactNode } from 'react'
import { pages, type PageName } from '../../../contract/pages.ts'
import { useOffers } from '../../api/current.ts'
import { lazy } from '../../components/lazy.ts'
import { LazyPart } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'

const LackingPage = lazy(() => import('./lacking-page.tsx'), 'LackingPage')

/** A page where the deployment has what it needs; else what it lacks, and what it opens instead. */
export function OfferedGate({ name, children }: { name: PageName; children: ReactNode }) {
  const { needs = '' } = pages[name]
  const offered = useOffers(needs)
  if (needs === '' || offered) return children
  return (
    <LazyPart title="This page" fallback={<SkeletonRows count={6} />}>
      <LackingPage name={name} />
    </LazyPart>
  )
}
