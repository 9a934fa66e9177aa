import type { ReactNode } from 'react'
import { SkeletonChart } from '../../components/skeleton.tsx'

/** The height of the plot of a page's leading chart, in pixels. */
export const chartPlot = 340
/** Controls, note and gaps above the plot. */
const above = 72

/** The place of a leading chart, at its final size, while its code and points load. */
export const ChartPlace = (): ReactNode => <SkeletonChart height={chartPlot + above} />

/** The place of a leading chart and of three smaller ones beside each other below it. */
export function ChartsPlace(): ReactNode {
  return (
    <div aria-busy="true" className="flex flex-col gap-4">
      <ChartPlace />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
        {['first', 'second', 'third'].map((place) => (
          <span key={place} className="skeleton h-[212px] opacity-60" aria-hidden="true" />
        ))}
      </div>
    </div>
  )
}

/** Keeps the height of a leading chart, so that nothing below it moves when it arrives. */
export function ChartFrame({ children }: { children: ReactNode }): ReactNode {
  return <div style={{ minHeight: chartPlot + above }}>{children}</div>
}
