import { toDrawn } from '../series/series.ts'
import { strongestTint, type WeekHour } from '../series/transforms.ts'
import { shortText, withUnit, type Unit } from '../series/units.ts'
import type { Shape, TextShape } from '../shapes.ts'
import { drawSheet, emptyShape, type Picture, type SheetOptions } from '../sheet.ts'

/** The names of the days, Monday first. */
export const weekDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** The room for the days on the left and for the hours at the top, in pixels. */
const LEFT = 36
const TOP = 18
/** The strongest tint; text on it has a contrast of 4.5 in both themes. */
const STRONGEST = 0.5
const FAINTEST = 0.04
const CORNER = 3
/** The least width of a cell with its figure, and of one under the name of its hour. */
const FIGURE = 27
const HOUR_NAME = 16

/** The height of a map with rows of a height. */
export const weekHeight = (row: number): number => TOP + 7 * row

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

const placeText = ({ day, hour }: WeekHour): string => `${weekDays[day] ?? ''} ${hourText(hour)}`

/** A sentence with the busiest and the quietest hour, and the strongest tint where outliers exceed it. */
export function weekSummary(cells: readonly WeekHour[], unit: Unit): string {
  const sorted = cells.filter(({ mean }) => mean !== null).toSorted((a, b) => (a.mean ?? 0) - (b.mean ?? 0))
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low?.mean == null || high?.mean == null) return 'No whole hour in this range.'
  const text = (mean: number): string => withUnit(shortText(toDrawn(mean, unit.decimals)), unit)
  const words = `Busiest ${placeText(high)} UTC, ${text(high.mean)} on average; quietest ${placeText(low)}, ${text(low.mean)}.`
  const strongest = strongestTint(cells)
  return strongest < high.mean ? `${words} The strongest tint is for ${text(strongest)} and more.` : words
}

/** From 0 to 1; means beyond the strongest tint, which the summary names, have it too. */
const tintOf = (mean: number, strongest: number): number =>
  mean >= strongest && mean > 0 ? 1 : strongest === 0 ? 0 : mean / strongest

/** A rectangle with round corners. */
const cellPath = (x: number, y: number, width: number, height: number): string => {
  const round = Math.min(CORNER, width / 2, height / 2)
  const corner = (dx: number, dy: number): string => `a${round},${round} 0 0 1 ${dx},${dy}`
  return `M${x + round},${y}h${width - 2 * round}${corner(round, round)}v${height - 2 * round}${corner(-round, round)}h${2 * round - width}${corner(-round, -round)}v${2 * round - height}${corner(round, -round)}Z`
}

const label = (x: number, y: number, text: string, anchor: TextShape['anchor']): TextShape => ({
  kind: 'text',
  x,
  y,
  text,
  size: 11,
  fill: 'var(--color-muted)',
  anchor,
})

/** The weekly pattern: the mean of every hour by tint, and as a figure in the cell or on hover. */
export function weekShapes(
  cells: readonly WeekHour[],
  unit: Unit,
  width: number,
  row: number,
  figures: 'printed' | 'onHover' = 'printed',
): Shape[] {
  const column = (width - LEFT) / 24
  const strongest = strongestTint(cells)
  const every = Math.ceil(HOUR_NAME / column)
  return [
    ...Array.from({ length: 24 }, (_, hour) => hour)
      .filter((hour) => hour % every === 0)
      .map((hour) => label(LEFT + (hour + 0.5) * column, 12, String(hour).padStart(2, '0'), 'middle')),
    ...weekDays.map((day, index) => label(0, TOP + (index + 0.5) * row + 4, day, 'start')),
    ...cells.flatMap(({ day, hour, mean }): Shape[] => {
      const [x, y] = [LEFT + hour * column, TOP + day * row]
      const d = cellPath(x + 1, y + 1, column - 2, row - 2)
      if (mean === null) return [{ kind: 'path', d, stroke: 'var(--color-line)', strokeWidth: 1 }]
      const fillOpacity = FAINTEST + tintOf(mean, strongest) * (STRONGEST - FAINTEST)
      const figure = shortText(toDrawn(mean, unit.decimals))
      const cell: Shape = { kind: 'path', d, fill: 'var(--color-accent)', fillOpacity }
      if (figures === 'onHover')
        return [{ ...cell, title: `${weekDays[day]} ${hourText(hour)}: ${withUnit(figure, unit)}` }]
      if (column < FIGURE) return [cell]
      return [
        cell,
        {
          kind: 'text',
          x: x + column / 2,
          y: y + row / 2 + 4,
          text: figure,
          size: 10,
          fill: 'var(--color-text)',
          anchor: 'middle',
        },
      ]
    }),
  ]
}

/** Draws the weekly pattern with its heading; the summary is the last of its notes. */
export function drawWeek(
  options: SheetOptions & {
    readonly cells: readonly WeekHour[]
    readonly unit: Unit
    readonly empty: string
  },
): Picture {
  const { cells, unit, empty, note } = options
  const known = cells.some(({ mean }) => mean !== null)
  const sheet = known ? { ...options, note: [...note, weekSummary(cells, unit)] } : options
  return drawSheet(sheet, [], (width, height) =>
    known ? weekShapes(cells, unit, width, (height - TOP) / 7) : [emptyShape(width / 2, height / 2, empty)],
  )
}
