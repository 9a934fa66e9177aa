import { csvCell } from '../export.ts'
import { exactDigits } from '../../../charts/series/units.ts'
import type { SeriesPoint } from '../../../charts/series/series.ts'

/** A column of a series file: a heading and points in the unit of the heading. */
type CsvColumn = {
  readonly heading: string
  readonly points: readonly SeriesPoint[]
  readonly decimals: number
}

/**
 * A CSV file of one or more series over the same periods, oldest first: `timestamp` (Unix seconds), `utc` (ISO
 * 8601), then one column per series. Figures are exact and without separators; a gap is an empty field.
 */
export function seriesCsv(columns: readonly CsvColumn[]): string {
  const times = [...new Set(columns.flatMap((column) => column.points.map((point) => point.timestamp)))]
  times.sort((a, b) => a - b)
  const values = columns.map(
    (column) => new Map(column.points.map((point) => [point.timestamp, point.value])),
  )
  const rows = times.map((time) => [
    String(time),
    new Date(time * 1000).toISOString().replace('.000Z', 'Z'),
    ...columns.map((column, index) => {
      const value = values[index]?.get(time)
      return value == null ? '' : exactDigits(value, column.decimals)
    }),
  ])
  const head = ['timestamp', 'utc', ...columns.map((column) => csvCell(column.heading))]
  return [head, ...rows].map((row) => `${row.join(',')}\r\n`).join('')
}
