import type { ReactNode } from 'react'
import type { ChartSeries } from '../../../charts/chart-series.ts'
import { changeAt, indexAt } from '../../../charts/series/series.ts'
import { isUnfinished, periodLabel, soFar, type Interval } from '../../../charts/series/periods.ts'
import { exactText, figureText, percentText, withUnit } from '../../../charts/series/units.ts'
import { useCrosshair } from '../../components/charts/crosshair.ts'
import { shortPeriod } from '../../components/charts/readout.tsx'

type Props = { readonly series: ChartSeries; readonly interval: Interval; readonly now: number }

/**
 * The figure of a small chart: its last whole period with the change from the one before, and the one that has not ended
 * beside it; under the shared cross-hair, the value there.
 */
export function PanelFigure({ series, interval, now }: Props): ReactNode {
  const { time } = useCrosshair()
  const { points, unit } = series
  const whole = points.findLastIndex(
    ({ timestamp, value }) => value !== null && !isUnfinished(timestamp, interval, now),
  )
  const index = time === null ? whole : indexAt(points, time, interval)
  const point = points[index]
  const open = points.findLast(
    ({ timestamp, value }) => value !== null && isUnfinished(timestamp, interval, now),
  )
  const isOpen = point !== undefined && isUnfinished(point.timestamp, interval, now)
  const step = isOpen ? null : changeAt(points, index, interval)
  const period = point && periodLabel(point.timestamp, interval, now)
  const isPointed = time !== null && point !== undefined
  return (
    <>
      <p
        className="flex h-7 min-w-0 items-baseline gap-2"
        title={
          point?.value == null
            ? period
            : `${withUnit(exactText(point.value, unit.decimals), unit)} · ${period}`
        }
      >
        <span className="text-h2 font-strong whitespace-nowrap">
          {point?.value == null ? 'no data' : figureText(point.value, unit)}
        </span>
        {point?.value != null && unit.symbol !== '' && (
          <span className="shrink-0 text-xs text-muted">{unit.symbol}</span>
        )}
        {step !== null && step.relative !== null && (
          <span className="name-first ml-auto justify-end text-xs text-muted">
            <span>{percentText(step.relative)}</span>
            <span className="whitespace-nowrap">vs previous {interval}</span>
          </span>
        )}
      </p>
      <p className="flex h-4 min-w-0 justify-between gap-3 text-xs text-muted">
        <span className="truncate">{point && shortPeriod(point.timestamp, interval, now)}</span>
        {!isPointed && open?.value != null && (
          <span className="shrink-0">
            {soFar(interval)}: {figureText(open.value, unit)}
          </span>
        )}
      </p>
    </>
  )
}
