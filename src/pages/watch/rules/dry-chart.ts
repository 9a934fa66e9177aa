import { axisShapes } from '../../../../charts/axes.ts'
import { axisWidth, layOut, yOf, type Geometry } from '../../../../charts/geometry.ts'
import { seriesColour } from '../../../../charts/palette.ts'
import { valueScale, type ValueScale } from '../../../../charts/series/ticks.ts'
import type { Shape } from '../../../../charts/shapes.ts'
import type { DryRun } from '../../../api/watch/rules.ts'
import { timeUnits, unitLabels } from '../shared/words.ts'

type DryPlot = {
  readonly geometry: Geometry
  readonly shapes: readonly Shape[]
  /** The unit of the axis: “days”, “%”, “percentage points”. */
  readonly axisUnit: string
}

type Options = {
  readonly width: number
  readonly height: number
  readonly from: number
  readonly to: number
  /** The line at which the rule fires; undefined for kinds that fire at events. */
  readonly threshold: number | undefined
  readonly unit: string
}

/** The unit in which a time axis has small numbers, and its size in seconds. */
function axisUnitOf(unit: string, max: number): { label: string; size: number } {
  if (unit !== 'seconds') return { label: unitLabels[unit] ?? unit, size: 1 }
  const found = timeUnits.findLast(({ size }) => max >= 2 * size) ?? timeUnits[0]
  return { label: found.label, size: found.size }
}

const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${x.toFixed(1)} ${y}h${width.toFixed(1)}v${height}h-${width.toFixed(1)}z`

/** The part of a span within the plot, at least two pixels wide so that short ones are seen. */
function band(geometry: Geometry, from: number, to: number): string | undefined {
  const left = Math.max(geometry.left, geometry.x(from))
  const right = Math.min(geometry.left + geometry.plotWidth, geometry.x(to))
  if (right < geometry.left || left > geometry.left + geometry.plotWidth) return undefined
  return rectangle(left, geometry.top, Math.max(2, right - left), geometry.plotHeight)
}

type Points = DryRun['series'][number]['points']

/** A level that holds until the next point: steps, with a gap while the value is unknown. */
function stepPath(points: Points, geometry: Geometry, scale: ValueScale, size: number, to: number): string {
  let path = ''
  let last: number | undefined
  for (const { timestamp, value } of points) {
    const x = Math.max(geometry.left, geometry.x(timestamp)).toFixed(1)
    if (last !== undefined) path += `H${x}`
    if (value === undefined) {
      last = undefined
      continue
    }
    const y = yOf(geometry, scale, value / size)
    path += last === undefined ? `M${x} ${y.toFixed(1)}` : `V${y.toFixed(1)}`
    last = y
  }
  return last === undefined ? path : `${path}H${geometry.x(to).toFixed(1)}`
}

/**
 * A dry run as marks: what was measured of each subject, the threshold, the spans without data, and
 * from when to when it would have fired. Subjects that would not have fired recede.
 */
export function dryPlot(run: DryRun, options: Options): DryPlot {
  const { width, height, from, to, threshold, unit } = options
  const values = run.series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  const every = threshold === undefined ? values : [...values, threshold]
  const { label, size } = axisUnitOf(unit, Math.max(0, ...every))
  const hasValues = every.length > 0 && unit !== 'events'
  const scale = hasValues
    ? valueScale(Math.min(...every) / size, Math.max(...every) / size, 4, false, {
        ...(unit === 'percent' && { ceiling: 100 }),
        whole: unit === 'samples' || unit === 'versions',
      })
    : null
  const geometry = layOut({ width, height, from, to, left: scale === null ? 8 : axisWidth(scale), right: 8 })
  const firing = new Set(run.alarms.map(({ subject }) => subject.id))
  const unknown = run.unknownSpans.flatMap(({ fromTimestamp, toTimestamp }): Shape[] => {
    const d = band(geometry, fromTimestamp, toTimestamp)
    return d === undefined ? [] : [{ kind: 'path', d, fill: 'var(--color-line-strong)', fillOpacity: 0.25 }]
  })
  const fired = run.alarms.flatMap(({ openedTimestamp, resolvedTimestamp }): Shape[] => {
    const d = band(geometry, openedTimestamp, resolvedTimestamp ?? (unit === 'events' ? openedTimestamp : to))
    return d === undefined ? [] : [{ kind: 'path', d, fill: 'var(--color-bad)', fillOpacity: 0.14 }]
  })
  // Triangles at the top: their shape tells them from the bands, whatever the colours.
  const sent = run.alarms.flatMap(({ notifiedTimestamps }) =>
    notifiedTimestamps
      .filter((at) => at >= from && at <= to)
      .map((at): Shape => {
        const x = geometry.x(at)
        return {
          kind: 'path',
          d: `M${(x - 5).toFixed(1)} ${geometry.top - 7}h10l-5 8z`,
          fill: 'var(--color-bad)',
        }
      }),
  )
  const lines =
    scale === null
      ? []
      : run.series.map(({ subject, points }, index): Shape => ({
          kind: 'path',
          d: stepPath(points, geometry, scale, size, Math.min(to, run.lastRoundTimestamp ?? to)),
          stroke: seriesColour(index),
          strokeWidth: firing.has(subject.id) ? 2 : 1,
          round: true,
        }))
  const line: Shape[] = []
  if (scale !== null && threshold !== undefined) {
    const y = yOf(geometry, scale, threshold / size)
    line.push({
      kind: 'line',
      x1: geometry.left,
      x2: geometry.left + geometry.plotWidth,
      y1: y,
      y2: y,
      stroke: 'var(--color-text)',
      strokeWidth: 1,
      dash: '4 3',
    })
  }
  return {
    geometry,
    axisUnit: scale === null ? '' : label,
    shapes: [...unknown, ...fired, ...axisShapes(geometry, scale, null), ...lines, ...line, ...sent],
  }
}

/** The least range of a chart, in seconds. */
const minRange = 600

/** Where the chart of a dry run begins: at its first round if that came after the start of the range. */
export const drawnFrom = ({ firstRoundTimestamp }: DryRun, from: number, to: number): number =>
  Math.min(to - minRange, Math.max(from, firstRoundTimestamp ?? from))

/** The point of a series that holds at a time; undefined before its first. */
export const pointAt = (points: Points, time: number): Points[number] | undefined =>
  points.findLast(({ timestamp }) => timestamp <= time)
