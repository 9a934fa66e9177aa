import { maxSeries } from '../../../contract/metrics/view.ts'
import type { ChartSeries } from '../../../charts/chart-series.ts'
import { timeIntervals } from '../../../contract/metrics/intervals.ts'
import type { Interval } from '../../../charts/series/periods.ts'
import type { SqlResult } from '../../api/sql/sql.ts'

/** A result over time, as the house's chart draws it. */
export type TimeChart = {
  readonly series: readonly ChartSeries[]
  readonly interval: Interval
  readonly from: number
  readonly to: number
}

const timeTypes = /^(TIMESTAMP|DATE)/
const numberTypes = /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|UINTEGER|DECIMAL|DOUBLE|FLOAT)\b/

const seconds: Record<Interval, number> = { hour: 3_600, day: 86_400, week: 604_800, month: 2_678_400 }

/** A chart of a result, or why there is none, as a sentence. */
type Charted = { readonly chart: TimeChart } | { readonly why: string }

/**
 * The chart of a result: its first column of times against its columns of numbers. It needs both, with at least two
 * different times, each once.
 */
export function timeChart({ columns, rows }: Pick<SqlResult, 'columns' | 'rows'>): Charted {
  const time = columns.findIndex(({ type }) => timeTypes.test(type))
  const numbers = columns.flatMap(({ name, type }, place) =>
    numberTypes.test(type) ? [{ name, place }] : [],
  )
  if (time < 0) return { why: 'No chart: the result has no column of times.' }
  if (numbers.length === 0) return { why: 'No chart: the result has no column of numbers.' }
  const timed = rows
    .flatMap((row) => {
      const timestamp = secondsOf(row[time])
      return timestamp === undefined ? [] : [{ timestamp, row }]
    })
    .toSorted((a, b) => a.timestamp - b.timestamp)
  const times = timed.map(({ timestamp }) => timestamp)
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || first === last)
    return { why: 'No chart: it needs at least two different times.' }
  if (new Set(times).size !== times.length)
    return {
      why: `No chart: several rows have the same ${columns[time]?.name ?? 'time'}. Group by it alone, with a column for each kind.`,
    }
  const interval = intervalOf(times)
  const series = numbers.slice(0, maxSeries).map(({ name, place }, index) => ({
    id: `${place}`,
    label: name,
    colour: `var(--color-series-${index + 1})`,
    unit: { symbol: '', decimals: 0 },
    points: timed.map(({ timestamp, row }) => ({ timestamp, value: numberOf(row[place]) })),
  }))
  return { chart: { series, interval, from: first, to: last + seconds[interval] } }
}

/** Text of the engine, which is UTC: "2026-01-01" or "2026-01-01 05:00:00.5", with or without a zone. */
function secondsOf(value: unknown): number | undefined {
  const [, day, clock] = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}:\d{2}))?/.exec(String(value)) ?? []
  if (day === undefined) return undefined
  return Date.parse(`${day}T${clock ?? '00:00:00'}Z`) / 1_000
}

function numberOf(value: unknown): number | null {
  if (value === null || value === undefined || value === '') return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** The longest interval that is no longer than the usual distance of two points. */
function intervalOf(times: readonly number[]): Interval {
  const steps = times.slice(1).map((time, index) => time - (times[index] ?? time))
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  const shortest = timeIntervals.toSorted((a, b) => seconds[a] - seconds[b])
  // A month may have 28 days.
  return shortest.findLast((name) => seconds[name] * 0.89 <= usual) ?? 'hour'
}
