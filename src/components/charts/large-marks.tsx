import { memo, useDeferredValue, useEffect, useState, type ReactNode } from 'react'
import type { PlotProps } from '../../../charts/plot.ts'
import { lazy } from '../lazy.ts'
import { LazyExtra } from '../part.tsx'
import { useCrosshairStore } from './crosshair.ts'
import { SmallMarks } from './small-marks.tsx'

const RechartsMarks = lazy(() => import('./recharts-marks.tsx'), 'RechartsMarks')

/** The axes and marks of a large chart: recharts draws them, and plain SVG, in the same places, until its code is there. */
export const LargeMarks = memo(function LargeMarks(plot: PlotProps): ReactNode {
  return (
    <LazyExtra fallback={<SmallMarks {...plot} />}>
      <RechartsMarks {...plot} />
    </LazyExtra>
  )
})

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
  return large ? <LargeMarks {...plot} /> : <SmallMarks {...plot} />
})
