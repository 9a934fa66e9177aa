import { useMemo, type ReactNode } from 'react'
import { isUnfinished, periodLabel, type Interval } from '../../../charts/series/periods.ts'
import { exactText } from '../../../charts/series/units.ts'
import type { ChartSeries } from '../../../charts/chart-series.ts'

/** The exact figures of a chart as a table, newest first; the accessible form of the chart. */
export function ChartTable({
  caption,
  series,
  interval,
  now,
  height,
}: {
  caption: string
  series: readonly ChartSeries[]
  interval: Interval
  now: number
  height: number
}): ReactNode {
  const { times, values } = useMemo(() => {
    const all = new Set(series.flatMap((one) => one.points.map((point) => point.timestamp)))
    return {
      times: [...all].sort((a, b) => b - a),
      values: series.map((one) => new Map(one.points.map((point) => [point.timestamp, point.value]))),
    }
  }, [series])
  return (
    <section
      aria-label={caption}
      // A scrolling element must be focusable, otherwise its lower rows are unreachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-auto rounded-base border border-line"
      style={{ height }}
    >
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th
              scope="col"
              className="sticky top-0 border-b border-line bg-surface px-3 py-2 text-xs font-strong"
            >
              Period (UTC)
            </th>
            {series.map((one) => (
              <th
                key={one.id}
                scope="col"
                className="sticky top-0 border-b border-line bg-surface px-3 py-2 text-right text-xs font-strong"
              >
                {one.label}
                {one.unit.symbol !== '' && <span className="font-normal text-muted"> {one.unit.symbol}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time) => (
            <tr key={time} className="border-b border-line last:border-0">
              <th scope="row" className="px-3 py-1 text-xs font-normal whitespace-nowrap text-muted">
                {periodLabel(time, interval, now).replace(/,? UTC$/, '')}
                {isUnfinished(time, interval, now) && <span className="sr-only"> (unfinished)</span>}
              </th>
              {series.map((one, index) => {
                const value = values[index]?.get(time)
                return (
                  <td key={one.id} className="px-3 py-1 text-right whitespace-nowrap">
                    {value == null ? (
                      <span className="text-muted">no data</span>
                    ) : (
                      exactText(value, one.unit.decimals)
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
