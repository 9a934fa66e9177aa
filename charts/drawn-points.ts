import type { SeriesPoint } from './series/series.ts'
import { isUnfinished } from './series/periods.ts'
import { stacked } from './series/transforms.ts'
import type { ChartSeries } from './chart-series.ts'
import type { PlotProps } from './plot.ts'

/** The scale of the axis that a series belongs to; null if the plot has no such axis. */
export const scaleOfSide = (one: ChartSeries, plot: PlotProps): PlotProps['left'] =>
  one.side === 'right' ? plot.right : plot.left

/**
 * The points at whose heights each series is drawn: in a stack, those of the left axis are the sums up to them, in
 * the order of the series.
 */
export function drawnPoints({
  series,
  stacked: isStack,
}: Pick<PlotProps, 'series' | 'stacked'>): readonly (readonly SeriesPoint[])[] {
  if (!isStack) return series.map(({ points }) => points)
  const members = series.filter(({ side }) => side !== 'right')
  const sums = stacked(members.map(({ points }) => points))
  return series.map((one) => (one.side === 'right' ? one.points : (sums[members.indexOf(one)] ?? [])))
}

/** What stands in the place of a chart that would be a line along its axis. */
export const allZeroWords = 'All values in this range are 0'

/** Whether the series have values, and none but 0. */
export function isAllZero(series: readonly ChartSeries[]): boolean {
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  return values.length > 0 && values.every((value) => Number(value) === 0)
}

/** Whether the last known period of a series has not ended at `now`. */
export function endsOpen(
  { points }: ChartSeries,
  { interval, now }: Pick<PlotProps, 'interval' | 'now'>,
): boolean {
  const last = points.findLast(({ value }) => value !== null)
  return last !== undefined && isUnfinished(last.timestamp, interval, now)
}
