import type { ReactNode } from 'react'
import { SkeletonChart } from '../../components/skeleton.tsx'

/** The height of the plot of a page's leading chart, in pixels. */
export const chartPlot = 340
/** Controls, note and gaps above the plot. */
const above = 72

/** The place of a leading chart, at its final size, while its code and points load. */
export const ChartPlace = (): ReactNode => <SkeletonChart height={chartPlot + above} />

/** Keeps the height of a leading chart, so that nothing below it moves when it arrives. */
export function ChartFrame({ children }: { children: ReactNode }): ReactNode {
  return <div style={{ minHeight: chartPlot + above }}>{children}</div>
}
