import { shortText } from './series/units.ts'
import { timeTicks, type TimeTick, type ValueScale } from './series/ticks.ts'

/** The drawing area and its scales, in CSS pixels from the top left of the chart. */
export type Geometry = {
  readonly width: number
  readonly height: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly plotWidth: number
  readonly plotHeight: number
  readonly from: number
  readonly to: number
  readonly timeTicks: readonly TimeTick[]
  readonly x: (time: number) => number
  readonly timeAt: (x: number) => number
}

/** Width of a digit at 11 px in the system font; labels are figures, so no text is measured. */
const CHARACTER = 6.4
/** Room for the longest time label, "Mon 24 Nov". */
const TICK_DISTANCE = 66

/** The width of a value axis's labels, in pixels. */
export function axisWidth(scale: ValueScale): number {
  const longest = Math.max(...scale.ticks.map((tick) => shortText(tick, scale.step).length), 1)
  // A common minimum width aligns the plots of small multiples, and so their cross-hairs.
  return Math.max(44, Math.ceil(longest * CHARACTER) + 10)
}

/** The line before a name at a line's end, with its gaps. */
const LABEL_LINE = 24
/** Names at the line ends may take this share of a chart, and never fewer characters than `LABEL_LEAST`. */
const LABEL_SHARE = 0.25
const LABEL_LEAST = 17

/** The names at the line ends of a chart of `width` pixels: whole where there is room, else cut. */
export function endLabels(labels: readonly string[], width: number): string[] {
  const max = Math.max(LABEL_LEAST, Math.floor((width * LABEL_SHARE - LABEL_LINE) / CHARACTER))
  return labels.map((label) => (label.length > max ? `${label.slice(0, max - 1)}…` : label))
}

/** The width of the names at the line ends, in pixels. */
export function labelWidth(labels: readonly string[]): number {
  const longest = Math.max(...labels.map((label) => label.length), 0)
  return longest === 0 ? 0 : Math.ceil(longest * CHARACTER) + LABEL_LINE
}

type GeometryOptions = {
  readonly width: number
  readonly height: number
  readonly from: number
  readonly to: number
  readonly left: number
  readonly right: number
}

/** Lays a chart out: value labels on the left (and right), times below, the plot in the rest. */
export function layOut(options: GeometryOptions): Geometry {
  const { width, height, from, to, left, right } = options
  const top = 8
  const bottom = 22
  const plotWidth = Math.max(1, width - left - right)
  const plotHeight = Math.max(1, height - top - bottom)
  const span = Math.max(1, to - from)
  return {
    ...options,
    top,
    bottom,
    plotWidth,
    plotHeight,
    timeTicks: timeTicks(from, to, Math.max(2, Math.floor(plotWidth / TICK_DISTANCE))),
    x: (time) => left + ((time - from) / span) * plotWidth,
    timeAt: (x) => from + ((x - left) / plotWidth) * span,
  }
}

/** The text anchor of a label at `x` that keeps it within a drawing of `width` pixels. */
export function timeAnchor(label: string, x: number, width: number): 'start' | 'middle' | 'end' {
  const room = label.length * 3.2
  return x < room ? 'start' : x > width - room ? 'end' : 'middle'
}

/** The vertical position of a value, in pixels from the chart's top. */
export function yOf(geometry: Geometry, scale: ValueScale, value: number): number {
  const span = scale.max - scale.min || 1
  return geometry.top + (1 - (value - scale.min) / span) * geometry.plotHeight
}

/**
 * Moves labels apart: each at least `distance` below the previous one, all between `low` and `high` if they fit. The
 * order is kept.
 */
export function spread(places: readonly number[], distance: number, low: number, high: number): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place)
  let floor = low
  const moved = order.map(({ place, index }) => {
    const at = Math.max(place, floor)
    floor = at + distance
    return { at, index }
  })
  let ceiling = high
  for (const label of moved.toReversed()) {
    if (label.at > ceiling) label.at = ceiling
    ceiling = label.at - distance
  }
  const result = places.map(() => 0)
  for (const { at, index } of moved) result[index] = at
  return result
}
