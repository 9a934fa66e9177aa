import { seriesColour } from './palette.ts'
import { extent, type SeriesPoint } from './series/series.ts'
import type { Unit } from './series/units.ts'
import { valueScale, type ValueScale } from './series/ticks.ts'
import { stacked as stack } from './series/transforms.ts'

export type Side = 'left' | 'right'
export type Mark = 'line' | 'area' | 'bar'

/**
 * A series of a chart: points (oldest first), name, colour (any CSS colour) and unit. A level stays until something
 * changes it, as a stake does: its line is steps, because a slope would show values that it never had.
 */
export type ChartSeries = {
  readonly id: string
  readonly label: string
  readonly colour: string
  readonly unit: Unit
  readonly points: readonly SeriesPoint[]
  readonly side?: Side
  readonly isLevel?: boolean | undefined
}

/** A series in the colour of its place among those of its chart. */
export const seriesAt = (
  place: number,
  label: string,
  unit: Unit,
  points: ChartSeries['points'],
): ChartSeries => ({ id: label, label, colour: seriesColour(place), unit, points })

/** A level in the colour of its place. */
export const levelAt = (...given: Parameters<typeof seriesAt>): ChartSeries => ({
  ...seriesAt(...given),
  isLevel: true,
})

/** How value axes are built. `zero`: whether the axis starts at 0 or fits the values. */
type ScaleOptions = { readonly zero: boolean; readonly stacked: boolean; readonly count: number }

/** The value axis of one side over all its series; null for a side without series. */
export function scaleOf(
  series: readonly ChartSeries[],
  side: Side,
  options: ScaleOptions,
): ValueScale | null {
  const mine = series.filter((one) => (one.side ?? 'left') === side)
  if (mine.length === 0) return null
  const drawn = options.stacked ? stack(mine.map((one) => one.points)) : mine.map((one) => one.points)
  const bounds = drawn.flatMap((points, index) => {
    const found = extent(points, mine[index]?.unit.decimals ?? 0)
    return found === null ? [] : [found]
  })
  const min = Math.min(...bounds.map((bound) => bound.min))
  const max = Math.max(...bounds.map((bound) => bound.max))
  // A stack or a filled area that does not start at 0 shows wrong proportions.
  const ceiling = mine.every(({ unit }) => unit.symbol === '%') ? 100 : Infinity
  const whole = mine.every(
    ({ unit, points }) =>
      unit.decimals === 0 &&
      unit.symbol !== '%' &&
      points.every(({ value }) => value === null || typeof value === 'bigint' || Number.isInteger(value)),
  )
  return valueScale(min, max, options.count, options.zero || options.stacked, { ceiling, whole })
}

/** Bars if each is at least four pixels wide, otherwise an area; what is no sum is a line. */
export function markFor(sum: boolean, periods: number, pixels: number, several: boolean): Mark {
  if (!sum || several) return 'line'
  return periods > 0 && pixels / periods >= 4 ? 'bar' : 'area'
}
