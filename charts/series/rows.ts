import { drawing, splitAtGaps, toDrawn, type SeriesPoint } from './series.ts'
import { isRaised } from './transforms.ts'
import { isUnfinished, periodEnd, periodMiddle, periodStart, type Interval } from './periods.ts'

/**
 * One time of a chart that draws several series from one table. `s0` is the value of the first series
 * in its drawn unit, null in a gap; `t0` is set only at the ends of its dashed tail, `o0` only in the open period itself,
 * `d0` only where the point has no neighbour to draw a line to.
 */
type Row = { readonly x: number; readonly [key: string]: number | null }

type RowSeries = { readonly points: readonly SeriesPoint[]; readonly decimals: number }

type RowOptions = {
  readonly interval: Interval
  readonly now: number
  readonly max: number
  /** Whether the series lie on each other: one that stays at 0 is then null, or its line would cover the one below. */
  readonly stacked?: boolean
}

/** Makes every 0 between two others, or beside a gap, a gap. */
function dropIdleZeros(rows: Record<string, number | null>[], key: string): void {
  const values = rows.map((row) => row[key] ?? null)
  for (const [index, row] of rows.entries()) {
    if (!isRaised(values, index)) row[key] = null
  }
}

function firstMissing(points: readonly SeriesPoint[], interval: Interval): number[] {
  const runs = splitAtGaps(points, interval)
  return runs.slice(0, -1).flatMap((run) => {
    const last = run.at(-1)
    return last === undefined ? [] : [periodMiddle(periodEnd(last.timestamp, interval), interval)]
  })
}

/**
 * Rows for several series on one number axis. Each series is thinned on its own; a time that one of
 * them keeps is given for all of them, so that no series breaks where another one has a point. Every
 * gap contributes its first missing period, so that the line really ends there.
 */
export function rowsOf(list: readonly RowSeries[], options: RowOptions): Row[] {
  const { interval, now, stacked = false } = options
  const times = new Set<number>()
  const values = list.map((series) => {
    const { segments, tail } = drawing(series.points, { ...options, decimals: series.decimals })
    for (const point of [...segments.flat(), ...tail]) times.add(point.x)
    for (const time of firstMissing(series.points, interval)) times.add(time)
    const lone = new Set(
      [...segments, tail].flatMap((run) => (run.length === 1 ? run.map(({ x }) => x) : [])),
    )
    const all = new Map<number, number>()
    for (const point of series.points) {
      if (point.value === null) continue
      all.set(periodMiddle(point.timestamp, interval), toDrawn(point.value, series.decimals))
    }
    return { all, lone, tail: new Map(tail.map((point) => [point.x, point.y])) }
  })
  const rows = [...times]
    .sort((a, b) => a - b)
    .map((x) => {
      const row: Record<string, number | null> & { x: number } = { x }
      const open = isUnfinished(periodStart(x, interval), interval, now)
      for (const [index, series] of values.entries()) {
        const ending = open ? (series.tail.get(x) ?? null) : null
        row[`s${index}`] = ending === null ? (series.all.get(x) ?? null) : null
        row[`t${index}`] = series.tail.get(x) ?? null
        row[`o${index}`] = ending
        row[`d${index}`] = series.lone.has(x) ? (series.all.get(x) ?? null) : null
      }
      return row
    })
  if (stacked)
    for (const index of values.keys()) for (const key of ['s', 't']) dropIdleZeros(rows, `${key}${index}`)
  return rows
}
