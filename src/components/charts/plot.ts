import type { Interval } from '../../lib/series/periods.ts'
import { periodEnd } from '../../lib/series/periods.ts'
import type { ValueScale } from '../../lib/series/ticks.ts'
import type { Geometry } from './geometry.ts'
import type { ChartSeries, Mark } from './series.ts'

/** The properties of `LargeMarks` and `SmallMarks`. */
export type PlotProps = {
  readonly geometry: Geometry
  readonly series: readonly ChartSeries[]
  readonly left: ValueScale | null
  readonly right: ValueScale | null
  readonly mark: Mark
  readonly stacked: boolean
  readonly interval: Interval
  /** Unix seconds; the period that contains it is drawn as unfinished. */
  readonly now: number
  /** Whether names are at the line ends; the geometry reserves room for them on the right. */
  readonly labels: boolean
}

/** The text of axis labels. */
export const axisText = { fontSize: 11, fill: 'var(--color-muted)' } as const
/** The settings of recharts' value labels. */
export const valueLabels = {
  tick: axisText,
  interval: 0,
  tickSize: 0,
  tickMargin: 6,
  axisLine: false,
} as const
/** Line width of all marks, in pixels. */
export const STROKE = 1.5
export const DASH = '4 3'
/** Width of the dot for an isolated point, in pixels: a line through it has no length. */
export const DOT = 6

/** The width of a bar: its period minus a gap, at least one pixel. */
export function barWidth(geometry: Geometry, interval: Interval): number {
  const end = periodEnd(geometry.from, interval)
  const period = geometry.x(end) - geometry.x(geometry.from)
  return Math.max(1, period - Math.min(4, Math.max(1, period * 0.2)))
}

/** The most points that are worth drawing: one for two pixels (docs/performance.md). */
export function mostPoints(geometry: Geometry): number {
  return Math.max(16, Math.floor(geometry.plotWidth / 2))
}
