import { periodEnd, type Interval } from './series/periods.ts'
import type { ValueScale } from './series/ticks.ts'
import { axisWidth, endLabels, labelWidth, layOut, type Geometry } from './geometry.ts'
import { markFor, scaleOf, type ChartSeries, type Mark } from './chart-series.ts'

/** Series on their scales in a drawing area: all that the marks of a chart are drawn from. */
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
  /** The names at the line ends, one a series; the geometry reserves room for them on the right. Null: they have none. */
  readonly labels: readonly string[] | null
}

/** What is drawn, without the size of the drawing. */
export type PlotOptions = {
  readonly series: readonly ChartSeries[]
  readonly interval: Interval
  /** Unix seconds; the period that contains it is unfinished. */
  readonly now: number
  /** The time axis in Unix seconds. */
  readonly from: number
  readonly to: number
  /** Sums are drawn as bars or areas, all else as lines. */
  readonly sum: boolean
  /** Whether the value axis starts at 0 or fits the values. */
  readonly zero: boolean
  readonly stacked?: boolean
  /** Names at the line ends, where there is room for them. */
  readonly endLabels?: boolean
}

const ROWS_EVERY = 48
/** The least width of a chart with names at its line ends, in pixels. */
const LABELLED = 560

/** Scales, geometry and marks of a chart of `width` × `height` pixels. */
export function plotOf(options: PlotOptions, width: number, height: number): PlotProps {
  const { series, interval, now, from, to, sum, zero, stacked = false } = options
  const count = Math.max(2, Math.round(height / ROWS_EVERY))
  const left = scaleOf(series, 'left', { zero, stacked, count })
  const right = scaleOf(series, 'right', { zero, stacked: false, count })
  const isLabelled = options.endLabels === true && series.length > 1 && width >= LABELLED
  const labels = isLabelled
    ? endLabels(
        series.map((one) => one.label),
        width,
      )
    : null
  const names = labelWidth(labels ?? [])
  const geometry = layOut({
    width,
    height,
    from,
    to,
    left: left === null ? 8 : axisWidth(left),
    right: (right === null ? 8 : Math.max(axisWidth(right), names > 0 ? 44 : 0)) + names,
  })
  const periods = Math.max(...series.map((one) => one.points.length), 0)
  const mark = markFor(sum, periods, geometry.plotWidth, series.length > 1)
  return { geometry, series, left, right, mark, stacked, interval, now, labels }
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
export function maxPoints(geometry: Geometry): number {
  return Math.max(16, Math.floor(geometry.plotWidth / 2))
}
