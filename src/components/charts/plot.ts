import type { Interval } from '../../lib/series/periods.ts'
import { periodEnd } from '../../lib/series/periods.ts'
import type { ValueScale } from '../../lib/series/ticks.ts'
import type { Geometry } from './geometry.ts'
import type { ChartSeries, Mark } from './series.ts'

/** What `LargeMarks` and `SmallMarks` draw. */
export type PlotProps = {
  readonly geometry: Geometry
  readonly series: readonly ChartSeries[]
  readonly left: ValueScale | null
  readonly right: ValueScale | null
  readonly mark: Mark
  readonly stacked: boolean
  readonly interval: Interval
  /** Unix seconds; the period that holds it is drawn as unfinished. */
  readonly now: number
  /** Names at the line ends; the geometry leaves room for them on the right. */
  readonly labels: boolean
}

/** The text of axis labels. */
export const axisText = { fontSize: 11, fill: 'var(--color-muted)' } as const
/** How recharts draws the labels of an axis of values. */
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
/** Width of the dot that stands for a point without neighbours, in pixels: a line through it has no length. */
export const DOT = 6

/** The width of a bar: its period less a gap, never under one pixel. */
export function barWidth(geometry: Geometry, interval: Interval): number {
  const end = periodEnd(geometry.from, interval)
  const period = geometry.x(end) - geometry.x(geometry.from)
  return Math.max(1, period - Math.min(4, Math.max(1, period * 0.2)))
}

/** Points worth drawing across the plot: half the pixels (docs/performance.md). */
export function mostPoints(geometry: Geometry): number {
  return Math.max(16, Math.floor(geometry.plotWidth / 2))
}
