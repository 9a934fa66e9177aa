import { memo, useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import type { PlotProps } from '../../../charts/plot.ts'
import { lazy } from '../lazy.ts'
import { LazyExtra } from '../part.tsx'
import { useCrosshairStore } from './crosshair.ts'
import { SmallMarks } from './small-marks.tsx'

const LargeMarks = lazy(() => import('./large-marks.tsx'), 'LargeMarks')

/** Whether the cross-hair has been in one of the page's charts. */
function usePointedAt(): boolean {
  const store = useCrosshairStore()
  const [pointedAt, setPointedAt] = useState(false)
  useEffect(() => store.subscribe(() => setPointedAt(true)), [store])
  return pointedAt
}

/**
 * The axes and marks of the chart that a page opens with. Plain SVG draws it at first, so that the page does not wait
 * for the chart library; recharts draws it, in the same places, once the reader has pointed at it.
 */
export const LeadMarks = memo(function LeadMarks(plot: PlotProps): ReactNode {
  // Deferred: the cross-hair moves at once, and recharts renders in slices behind it.
  const large = useDeferredValue(usePointedAt())
  const first = <SmallMarks {...plot} />
  return large ? (
    <LazyExtra fallback={first}>
      <LargeMarks {...plot} />
    </LazyExtra>
  ) : (
    first
  )
})
