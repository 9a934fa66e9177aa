import { useMemo, type ReactNode } from 'react'
import { indexAt, toDrawn } from '../../lib/series.ts'
import { periodEnd, periodMiddle, periodStart, rangeLabel } from '../../lib/series-periods.ts'
import { stacked as stack } from '../../lib/series-transforms.ts'
import { useCrosshair } from './crosshair.ts'
import { yOf } from './geometry.ts'
import { readingsAt } from './readings.ts'
import type { PlotProps } from './plot.ts'
import { ChartTooltip } from './tooltip.tsx'

/** The whole periods that a selection's two ends span, in Unix seconds. */
export function selectedRange(
  selection: { from: number; to: number },
  interval: PlotProps['interval'],
): { from: number; to: number } {
  const low = Math.min(selection.from, selection.to)
  const high = Math.max(selection.from, selection.to)
  return { from: periodStart(low, interval), to: periodEnd(high, interval) }
}

/**
 * Cross-hair, dots, selection and tooltip. Only this small part renders while the pointer moves; the
 * marks below stay as they are.
 */
export function Overlay({ chartId, plot }: { chartId: string; plot: PlotProps }): ReactNode {
  const crosshair = useCrosshair()
  const { geometry, series, interval, now, left, right, stacked } = plot
  const heights = useMemo(
    () => (stacked ? stack(series.map((one) => one.points)) : series.map((one) => one.points)),
    [series, stacked],
  )
  const { time, selection } = crosshair
  if (time === null || time < geometry.from || time > geometry.to) return null

  const leads = crosshair.source === chartId
  const x = geometry.x(periodMiddle(time, interval))
  const base = geometry.top + geometry.plotHeight
  const range = selection === null ? null : selectedRange(selection, interval)
  const band = range && {
    from: Math.max(geometry.left, geometry.x(range.from)),
    to: Math.min(geometry.left + geometry.plotWidth, geometry.x(range.to)),
  }
  return (
    <>
      <svg
        aria-hidden="true"
        className="pointer-events-none absolute inset-0"
        width={geometry.width}
        height={geometry.height}
      >
        {band && (
          <rect
            x={band.from}
            y={geometry.top}
            width={Math.max(0, band.to - band.from)}
            height={geometry.plotHeight}
            fill="var(--color-accent)"
            fillOpacity={0.14}
          />
        )}
        <line x1={x} x2={x} y1={geometry.top} y2={base} stroke="var(--color-line-strong)" strokeWidth={1} />
        {series.map((one, index) => {
          const scale = one.side === 'right' ? right : left
          const points = heights[index] ?? []
          const value = points[indexAt(points, time, interval)]?.value
          if (value == null || scale === null) return null
          const y = yOf(geometry, scale, toDrawn(value, one.unit.decimals))
          return (
            <circle
              key={one.id}
              cx={x}
              cy={y}
              r={3.5}
              fill={one.colour}
              stroke="var(--color-surface)"
              strokeWidth={1.5}
            />
          )
        })}
      </svg>
      {leads && (
        <ChartTooltip
          readings={readingsAt(series, time, interval, now)}
          x={x}
          width={geometry.width}
          hint={
            range === null
              ? undefined
              : `Select ${rangeLabel(range.from, range.to)} · Enter takes it, Esc drops it`
          }
        />
      )}
    </>
  )
}
