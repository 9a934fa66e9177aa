import { drawing, toDrawn, type SeriesPoint } from './series/series.ts'
import { periodMiddle } from './series/periods.ts'
import { isRaised } from './series/transforms.ts'
import { drawnPoints, scaleOfSide } from './drawn-points.ts'
import type { XY } from './series/lttb.ts'
import type { ChartSeries } from './chart-series.ts'
import { yOf } from './geometry.ts'
import { areaPath, barPath, linePath } from './paths.ts'
import { DASH, DOT, STROKE, barWidth, maxPoints, type PlotProps } from './plot.ts'
import type { PathShape } from './shapes.ts'

/** How strongly the area below a line, a solid bar, the bar of an open period and a layer of a stack are filled. */
const opacity = { area: 0.12, bar: 0.85, open: 0.2, layer: 0.35 } as const

const present = (paths: readonly PathShape[]): PathShape[] => paths.filter(({ d }) => d !== '')

/** The line, area or bars of one series; the last period is dashed if it has not ended. */
function seriesShapes(one: ChartSeries, plot: PlotProps): PathShape[] {
  const { geometry, interval, now, mark } = plot
  const scale = scaleOfSide(one, plot)
  if (scale === null) return []
  const max = mark === 'bar' ? Infinity : maxPoints(geometry)
  const { segments, tail } = drawing(one.points, { interval, now, max, decimals: one.unit.decimals })
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
    { ...line, d: linePath(segments, geometry.x, y, one.isLevel) },
    { ...line, d: linePath([tail], geometry.x, y, one.isLevel), dash: DASH },
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

type Layer = { readonly one: ChartSeries; readonly sums: readonly SeriesPoint[] }
type Heights = ReadonlyMap<number, number>

/** The parts of a run in which a layer of a stack is drawn. */
function raised(run: readonly XY[], own: Heights): XY[][] {
  const values = run.map(({ x }) => own.get(x))
  const parts: XY[][] = [[]]
  for (const [index, point] of run.entries()) {
    if (isRaised(values, index)) parts.at(-1)?.push(point)
    else parts.push([])
  }
  return parts.filter((part) => part.length > 0)
}

/** The values of some points of a series at the middles of their periods, in its drawn unit. */
function heightsAt(
  one: ChartSeries,
  points: readonly SeriesPoint[],
  interval: PlotProps['interval'],
): Heights {
  return new Map(
    points.flatMap(({ timestamp, value }) =>
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
  const options = { interval, now, max: maxPoints(geometry) }
  const sums = drawnPoints(plot)
  const layers = plot.series.flatMap((one, index): Layer[] =>
    one.side === 'right' ? [] : [{ one, sums: sums[index] ?? [] }],
  )
  const drawn = layers.map(({ one, sums }) => drawing(sums, { ...options, decimals: one.unit.decimals }))
  const places = new Set(drawn.flatMap(({ segments }) => segments.flat().map(({ x }) => x)))
  const heights = layers.map(({ one, sums }) => heightsAt(one, sums, interval))
  // Whether a sum is known does not depend on the layer, so the runs of every layer have the same ends.
  const whole = layers.map(({ one, sums }) =>
    drawing(sums, { ...options, max: Infinity, decimals: one.unit.decimals }),
  )
  return layers.flatMap(({ one }, index) => {
    const below = heights[index - 1]
    const under = (run: readonly XY[]): XY[] => run.map(({ x }) => ({ x, y: below?.get(x) ?? 0 }))
    const segments = (whole[index]?.segments ?? []).map((run) => run.filter(({ x }) => places.has(x)))
    const tail = whole[index]?.tail ?? []
    const own = heightsAt(one, one.points, interval)
    const lines = segments.flatMap((run) => raised(run, own))
    const ending = raised(tail, own)
    const band = { kind: 'path', fill: one.colour } as const
    const line = { kind: 'path', stroke: one.colour, strokeWidth: STROKE, round: true } as const
    return present([
      {
        ...band,
        d: segments.map((run) => bandPath(run, under(run), geometry.x, y)).join(''),
        fillOpacity: opacity.layer,
      },
      { ...band, d: bandPath(tail, under(tail), geometry.x, y), fillOpacity: opacity.layer / 3 },
      { ...line, d: linePath(lines, geometry.x, y) },
      { ...line, d: linePath(ending, geometry.x, y), dash: DASH },
      {
        ...line,
        d: linePath(
          [...lines, ...ending].filter((run) => run.length === 1),
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
