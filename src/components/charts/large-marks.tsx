import { type ReactNode } from 'react'
import { lazy } from '../lazy.ts'
import { LazyPart } from '../part.tsx'
import { Axes } from './axes.tsx'
import type { PlotProps } from './plot.ts'
import { SvgMarks } from './svg-marks.tsx'

const RechartsMarks = lazy(() =>
  import('./recharts-marks.tsx').then((module) => ({ default: module.RechartsMarks })),
)

/**
 * The marks of the large chart. One series is a path or two, which need no library. Several (stacked,
 * or on two axes) are drawn by recharts, whose 95 kB come with the first of them: with them every page
 * of a metric would miss the budget of performance.md before anything is compared.
 */
export function LargeMarks(plot: PlotProps): ReactNode {
  if (plot.series.length < 2) return <SvgMarks {...plot} />
  const { geometry } = plot
  return (
    <LazyPart
      title="The chart"
      fallback={
        <svg width={geometry.width} height={geometry.height} aria-hidden="true" className="block">
          <Axes geometry={geometry} left={plot.left} right={plot.right} />
        </svg>
      }
    >
      <RechartsMarks {...plot} />
    </LazyPart>
  )
}
