import { drawing, toDrawn, type SeriesPoint } from './series/series.ts'
import { isUnfinished, periodMiddle } from './series/periods.ts'
import { stacked } from './series/transforms.ts'
import type { XY } from './series/lttb.ts'
import type { ChartSeries } from './chart-series.ts'
import { spread, yOf } from './geometry.ts'
import { areaPath, barPath, linePath } from './paths.ts'
import { DASH, DOT, STROKE, barWidth, mostPoints, type PlotProps } from './plot.ts'
import type { PathShape, Shape } from './shapes.ts'

/** How strongly the area below a line, a solid bar, the bar of an open period and a layer of a stack are filled. */
const opacity = { area: 0.12, bar: 0.85, open: 0.2, layer: 0.35 } as const

const scaleOfSide = (one: ChartSeries, plot: PlotProps): PlotProps['left'] =>
  one.side === 'right' ? plot.right : plot.left

const present = (paths: readonly PathShape[]): PathShape[] => paths.filter(({ d }) => d !== '')

/** The line, area or bars of one series; the last period is dashed if it has not ended. */
export function seriesShapes(one: ChartSeries, plot: PlotProps): PathShape[] {
  const { geometry, interval, now, mark } = plot
  const scale = scaleOfSide(one, plot)
  if (scale === null) return []
  const most = mark === 'bar' ? Infinity : mostPoints(geometry)
  const { segments, tail } = drawing(one.points, { interval, now, most, decimals: one.unit.decimals })
  const y = (value: number): number => yOf(geometry, scale, value)
  const base = y(Math.max(scale.min, Math.min(0, scale.max)))
  if (mark === 'bar') {
    const width = barWidth(geometry, interval)
    return present([
      {
        kind: 'path',
        d: barPath(segments.flat(), geometry.x, y, base, width),
        fill: one.colour,
        fillOpacity: opacity.bar,
      },
      {
        kind: 'path',
        d: barPath(tail.slice(-1), geometry.x, y, base, width),
        fill: one.colour,
        fillOpacity: opacity.open,
        stroke: one.colour,
        strokeWidth: 1,
        dash: DASH,
      },
    ])
  }
  const line = { kind: 'path', stroke: one.colour, strokeWidth: STROKE, round: true } as const
  const lone = [...segments, tail].filter((run) => run.length === 1)
  return present([
    {
      kind: 'path',
      d: mark === 'area' ? areaPath(segments, geometry.x, y, base) : '',
      fill: one.colour,
      fillOpacity: opacity.area,
    },
    { ...line, d: linePath(segments, geometry.x, y) },
    { ...line, d: linePath([tail], geometry.x, y), dash: DASH },
    { ...line, d: linePath(lone, geometry.x, y), strokeWidth: DOT },
  ])
}

/** The closed path between two lines over the same places, the upper from left to right. */
function bandPath(
  upper: readonly XY[],
  lower: readonly XY[],
  x: (time: number) => number,
  y: (value: number) => number,
): string {
  if (upper.length < 2) return ''
  const back = linePath([lower.toReversed()], x, y)
  return `${linePath([upper], x, y)}${back.replace(/^M/, 'L')}Z`
}

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

type Layer = { readonly one: ChartSeries; readonly sums: readonly SeriesPoint[] }

/** The values of a layer's sums at the given middles of periods, in its drawn unit. */
function heightsAt({ one, sums }: Layer, interval: PlotProps['interval']): ReadonlyMap<number, number> {
  return new Map(
    sums.flatMap(({ timestamp, value }) =>
      value === null ? [] : [[periodMiddle(timestamp, interval), toDrawn(value, one.unit.decimals)] as const],
    ),
  )
}

/**
 * The layers of a stack, the first series at the bottom: each a line with the band down to the layer below. All
 * layers are thinned to the same places, so that no band overlaps another.
 */
function stackShapes(plot: PlotProps): PathShape[] {
  const { geometry, interval, now, left } = plot
  if (left === null) return []
  const y = (value: number): number => yOf(geometry, left, value)
  const options = { interval, now, most: mostPoints(geometry) }
  const sums = drawnPoints(plot)
  const layers = plot.series.flatMap((one, index): Layer[] =>
    one.side === 'right' ? [] : [{ one, sums: sums[index] ?? [] }],
  )
  const drawn = layers.map(({ one, sums }) => drawing(sums, { ...options, decimals: one.unit.decimals }))
  const places = new Set(drawn.flatMap(({ segments }) => segments.flat().map(({ x }) => x)))
  const heights = layers.map((layer) => heightsAt(layer, interval))
  // Whether a sum is known does not depend on the layer, so the runs of every layer have the same ends.
  const whole = layers.map(({ one, sums }) =>
    drawing(sums, { ...options, most: Infinity, decimals: one.unit.decimals }),
  )
  return layers.flatMap(({ one }, index) => {
    const below = heights[index - 1]
    const under = (run: readonly XY[]): XY[] => run.map(({ x }) => ({ x, y: below?.get(x) ?? 0 }))
    const segments = (whole[index]?.segments ?? []).map((run) => run.filter(({ x }) => places.has(x)))
    const tail = whole[index]?.tail ?? []
    const band = { kind: 'path', fill: one.colour } as const
    const line = { kind: 'path', stroke: one.colour, strokeWidth: STROKE, round: true } as const
    return present([
      {
        ...band,
        d: segments.map((run) => bandPath(run, under(run), geometry.x, y)).join(''),
        fillOpacity: opacity.layer,
      },
      { ...band, d: bandPath(tail, under(tail), geometry.x, y), fillOpacity: opacity.layer / 3 },
      { ...line, d: linePath(segments, geometry.x, y) },
      { ...line, d: linePath([tail], geometry.x, y), dash: DASH },
      {
        ...line,
        d: linePath(
          [...segments, tail].filter((run) => run.length === 1),
          geometry.x,
          y,
        ),
        strokeWidth: DOT,
      },
    ])
  })
}

/** The marks of all series of a chart. */
export function markShapes(plot: PlotProps): PathShape[] {
  if (!plot.stacked) return plot.series.flatMap((one) => seriesShapes(one, plot))
  const beside = plot.series.filter((one) => one.side === 'right')
  return [...stackShapes(plot), ...beside.flatMap((one) => seriesShapes(one, plot))]
}

const LINE = 14
/** The most characters of a name at a line's end. */
const NAME = 17

/** Names at the line ends, moved apart so that they do not overlap; they replace a legend. */
export function endLabelShapes(plot: PlotProps): Shape[] {
  const { geometry, series, right } = plot
  const heights = drawnPoints(plot)
  const shown = series.flatMap((one, index) => {
    const last = heights[index]?.findLast((point) => point.value !== null)
    const scale = scaleOfSide(one, plot)
    if (last?.value == null || scale === null) return []
    return [{ one, y: yOf(geometry, scale, toDrawn(last.value, one.unit.decimals)) }]
  })
  const places = spread(
    shown.map(({ y }) => y),
    LINE,
    geometry.top + 4,
    geometry.top + geometry.plotHeight,
  )
  const x = geometry.left + geometry.plotWidth + 6 + (right === null ? 0 : 44)
  return shown.flatMap(({ one }, index): Shape[] => {
    const y = places[index] ?? 0
    const text = one.label.length > NAME ? `${one.label.slice(0, NAME - 1)}…` : one.label
    return [
      { kind: 'line', x1: x, x2: x + 8, y1: y, y2: y, stroke: one.colour, strokeWidth: 3, round: true },
      { kind: 'text', x: x + 14, y: y + 4, text, size: 11, fill: 'var(--color-text)', anchor: 'start' },
    ]
  })
}

/** Whether the last known period of a series has not ended at `now`. */
export function endsOpen(
  { points }: ChartSeries,
  { interval, now }: Pick<PlotProps, 'interval' | 'now'>,
): boolean {
  const last = points.findLast(({ value }) => value !== null)
  return last !== undefined && isUnfinished(last.timestamp, interval, now)
}
