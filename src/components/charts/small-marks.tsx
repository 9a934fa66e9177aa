import { memo, useMemo, type ReactNode } from 'react'
import { axisShapes } from '../../../charts/axes.ts'
import { markShapes } from '../../../charts/marks.ts'
import type { PlotProps } from '../../../charts/plot.ts'
import { EndLabels } from './end-labels.tsx'
import { Shapes } from './shapes.tsx'

/**
 * The axes and marks of a chart in plain SVG: a few paths a series, the same that the service draws into pictures.
 * Seventeen of these paint in a fraction of the time of seventeen recharts (docs/performance.md).
 */
export const SmallMarks = memo(function SmallMarks(plot: PlotProps): ReactNode {
  const { geometry, left, right, series, mark, stacked, interval, now, labels } = plot
  const axes = useMemo(() => axisShapes(geometry, left, right), [geometry, left, right])
  const marks = useMemo(
    () => markShapes({ geometry, left, right, series, mark, stacked, interval, now, labels }),
    [geometry, left, right, series, mark, stacked, interval, now, labels],
  )
  return (
    <svg width={geometry.width} height={geometry.height} aria-hidden="true" className="block">
      <Shapes shapes={axes} />
      <Shapes shapes={marks} />
      {labels && <EndLabels plot={plot} />}
    </svg>
  )
})
