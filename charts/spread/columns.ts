import { gridLines, valueLabels } from '../axes.ts'
import { axisWidth, layOut, yOf } from '../geometry.ts'
import { seriesColour } from '../palette.ts'
import { barPath } from '../paths.ts'
import { axisText } from '../plot.ts'
import { valueScale } from '../series/ticks.ts'
import type { Shape, TextShape } from '../shapes.ts'
import { drawSheet, emptyShape, type Picture, type SheetOptions } from '../sheet.ts'

/** A column: its lower bound on the axis, the count above it, and the value of each of its bars. */
export type Column = {
  readonly label: string
  readonly count: string
  readonly values: readonly number[]
}

type ColumnsOptions = SheetOptions & {
  readonly columns: readonly Column[]
  /** What each bar of a column shows; named if there are several. */
  readonly bars: readonly string[]
  /** The highest mark of the axis unless a value is higher: 100 for percentages. */
  readonly ceiling?: number
  /** Shown if there are no columns. */
  readonly empty: string
}

/** The distance between labels of the value axis, and the width of a digit of a label, in pixels. */
const ROWS_EVERY = 48
const CHARACTER = 6.4
/** The widest bar, and the room above the highest for its count, in pixels. */
const WIDEST = 32
const COUNT = 16

/** A text below or above a column. */
const words = (x: number, y: number, text: string, anchor: TextShape['anchor']): TextShape => ({
  kind: 'text',
  size: axisText.fontSize,
  fill: axisText.fill,
  x,
  y,
  text,
  anchor,
})

/** Every how many columns a text has room, if all are as long as the longest. */
const roomEvery = (texts: readonly string[], column: number): number =>
  Math.ceil((Math.max(...texts.map(({ length }) => length), 1) * CHARACTER + 6) / column)

/** The columns on the area that a sheet leaves for them. */
function columnShapes(
  { columns, bars, ceiling, empty }: ColumnsOptions,
  width: number,
  height: number,
): Shape[] {
  if (columns.length === 0) return [emptyShape(width / 2, height / 2, empty)]
  const max = Math.max(0, ...columns.flatMap(({ values }) => values))
  const limits = ceiling === undefined ? { whole: true } : { ceiling }
  const scale = valueScale(0, max, Math.max(2, Math.round(height / ROWS_EVERY)), true, limits)
  const laid = layOut({
    width,
    height: height - COUNT,
    from: 0,
    to: columns.length,
    left: axisWidth(scale),
    right: 8,
  })
  const geometry = { ...laid, top: laid.top + COUNT }
  const column = geometry.plotWidth / columns.length
  const bar = Math.min(WIDEST, (column - 4) / bars.length)
  const base = yOf(geometry, scale, 0)
  const middleOf = (index: number, place: number): number =>
    geometry.x(index + 0.5) + (place - (bars.length - 1) / 2) * bar
  const y = (value: number): number => yOf(geometry, scale, value)
  const labels = roomEvery(
    columns.map(({ label }) => label),
    column,
  )
  const counts = roomEvery(
    columns.map(({ count }) => count),
    column,
  )
  return [
    ...gridLines(geometry, scale),
    ...valueLabels(geometry, scale, 'left'),
    ...bars.map((_, place): Shape => ({
      kind: 'path',
      d: barPath(
        columns.map(({ values }, index) => ({ x: middleOf(index, place), y: values[place] ?? 0 })),
        (x) => x,
        // A small value of something stays visible.
        (value) => (value > 0 ? Math.min(y(value), base - 1) : base),
        base,
        bar - 1,
      ),
      fill: seriesColour(place),
    })),
    ...columns.flatMap(({ label, count, values }, index): Shape[] => [
      ...(index % labels === 0 ? [words(geometry.x(index) + 2, base + 16, label, 'start' as const)] : []),
      ...(counts === 1 && count !== '0'
        ? [words(geometry.x(index + 0.5), y(Math.max(...values)) - 5, count, 'middle' as const)]
        : []),
    ]),
  ]
}

/** Draws a distribution: a column of one or more bars for each class of values. */
export function drawColumns(options: ColumnsOptions): Picture {
  const legend = options.bars.map((label, place) => ({ label, colour: seriesColour(place) }))
  return drawSheet(options, options.columns.length > 0 && legend.length > 1 ? legend : [], (width, height) =>
    columnShapes(options, width, height),
  )
}
