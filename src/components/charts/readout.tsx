import type { ReactNode } from 'react'
import { indexAt } from '../../../charts/series/series.ts'
import { periodLabel, type Interval } from '../../../charts/series/periods.ts'
import { exactText, figureText, withUnit } from '../../../charts/series/units.ts'
import { useCrosshair } from './crosshair.ts'
import type { ChartSeries } from '../../../charts/chart-series.ts'

/** "Mon 3 Nov, day so far": the period without its year, which axis and tooltip show. */
export function shortPeriod(time: number, interval: Interval, now: number): string {
  const label = periodLabel(time, interval, now).replace(/,? (whole \w+ )?UTC$/, '')
  return interval === 'month' ? label : label.replace(/ \d{4}\b/, '')
}

/**
 * The value under the shared cross-hair, else the newest one, with its period: shown by a small chart while the
 * pointer is over another.
 */
export function Readout({
  series,
  interval,
  now,
}: {
  series: ChartSeries
  interval: Interval
  now: number
}): ReactNode {
  const { time } = useCrosshair()
  const { points, unit } = series
  const point = time === null ? points.at(-1) : points[indexAt(points, time, interval)]
  const at = point?.timestamp ?? time
  const value = point?.value
  return (
    <div className="flex min-w-0 items-baseline justify-between gap-3">
      <span
        className="shrink-0"
        title={value == null ? undefined : withUnit(exactText(value, unit.decimals), unit)}
      >
        {value == null ? 'no data' : withUnit(figureText(value, unit), unit)}
      </span>
      <span
        className="min-w-0 truncate text-xs text-muted"
        title={at === null ? undefined : shortPeriod(at, interval, now)}
      >
        {at === null ? '' : shortPeriod(at, interval, now)}
      </span>
    </div>
  )
}
