import { changeAt, indexAt, type Change, type SeriesPoint } from '../../../charts/series/series.ts'
import { isUnfinished, periodLabel, type Interval } from '../../../charts/series/periods.ts'
import { figureText, percentText, withUnit, type Unit } from '../../../charts/series/units.ts'
import type { ChartSeries } from '../../../charts/chart-series.ts'

/** The reading of one series in one period. `value` is null in a gap. */
type Reading = {
  readonly id: string
  readonly label: string
  readonly colour: string
  readonly value: string | null
  /** The change from the previous period as text; null when it is unknown. */
  readonly change: string | null
}

/** The readings of one period. */
export type Readings = { readonly period: string; readonly rows: readonly Reading[] }

/** "+4.2 % (+1,234)": a change as a share and in the series' unit. */
export function changeText(change: Change, unit: Unit): string {
  const negative = Number(change.absolute) < 0
  const text = figureText(change.absolute, unit)
  const absolute = negative || text === '0' ? text : `+${text}`
  return change.relative === null ? absolute : `${percentText(change.relative)} (${absolute})`
}

function reading(one: ChartSeries, index: number, interval: Interval, now: number): Reading {
  const point: SeriesPoint | undefined = one.points[index]
  const base = { id: one.id, label: one.label, colour: one.colour }
  if (point?.value == null) return { ...base, value: null, change: null }
  const value = withUnit(figureText(point.value, one.unit), one.unit)
  // Half a day compared with a whole one would look like a fall.
  if (isUnfinished(point.timestamp, interval, now))
    return { ...base, value, change: 'not compared, period unfinished' }
  const before = changeAt(one.points, index, interval)
  return { ...base, value, change: before === null ? null : changeText(before, one.unit) }
}

/** The readings of all series in the period that contains `time` (Unix seconds). */
export function readingsAt(
  series: readonly ChartSeries[],
  time: number,
  interval: Interval,
  now: number,
): Readings {
  return {
    period: periodLabel(time, interval, now),
    rows: series.map((one) => reading(one, indexAt(one.points, time, interval), interval, now)),
  }
}

/** Readings in one sentence, for a screen reader. */
export function spoken(readings: Readings): string {
  const rows = readings.rows.map((row) => {
    const name = readings.rows.length > 1 ? `${row.label}: ` : ''
    return `${name}${row.value ?? 'no data'}${row.change === null ? '' : `, ${row.change}`}`
  })
  return `${readings.period}. ${rows.join('. ')}`
}
