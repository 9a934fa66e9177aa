import { useMemo, type ReactNode } from 'react'
import { indexAt, toDrawn } from '../../../charts/series/series.ts'
import { periodEnd, periodMiddle, periodStart, rangeLabel } from '../../../charts/series/periods.ts'
import { drawnPoints } from '../../../charts/drawn-points.ts'
import { useMedia } from '../hooks.ts'
import { useCrosshair } from './crosshair.ts'
import { yOf } from '../../../charts/geometry.ts'
import { readingsAt } from './readings.ts'
import type { PlotProps } from '../../../charts/plot.ts'
import { ChartTooltip } from './tooltip.tsx'

/** The whole periods between a selection's two ends, in Unix seconds. */
export function selectedRange(
  selection: { from: number; to: number },
  interval: PlotProps['interval'],
): { from: number; to: number } {
  const low = Math.min(selection.from, selection.to)
  const high = Math.max(selection.from, selection.to)
  return { from: periodStart(low, interval), to: periodEnd(high, interval) }
}

/**
 * Cross-hair, dots, selection and tooltip. Only this part renders while the pointer moves; it moves by transforms on
 * its own layers, so that the marks are not repainted.
 */
export function Overlay({ chartId, plot }: { chartId: string; plot: PlotProps }): ReactNode {
  const crosshair = useCrosshair()
  const touches = useMedia('(pointer: coarse)')
  const { geometry, series, interval, now, left, right, stacked } = plot
  const heights = useMemo(() => drawnPoints({ series, stacked }), [series, stacked])
  const { time, selection } = crosshair
  if (time === null || time < geometry.from || time > geometry.to) return null

  const leads = crosshair.source === chartId
  const x = geometry.x(periodMiddle(time, interval))
  const range = selection === null ? null : selectedRange(selection, interval)
  const band = range && {
    from: Math.max(geometry.left, geometry.x(range.from)),
    to: Math.min(geometry.left + geometry.plotWidth, geometry.x(range.to)),
  }
  return (
    <>
      {band && (
        <div
          className="pointer-events-none absolute bg-accent/15"
          style={{
            left: band.from,
            top: geometry.top,
            width: Math.max(0, band.to - band.from),
            height: geometry.plotHeight,
          }}
        />
      )}
      <div
        className="pointer-events-none absolute top-0 left-0 w-px bg-line-strong will-change-transform"
        style={{ height: geometry.plotHeight, transform: `translate(${x}px, ${geometry.top}px)` }}
      />
      {series.map((one, index) => {
        const scale = one.side === 'right' ? right : left
        const points = heights[index] ?? []
        const value = points[indexAt(points, time, interval)]?.value
        // In a stack the sum continues where a series has a gap or 0, but that series gets no dot.
        const own = one.points[indexAt(one.points, time, interval)]?.value ?? null
        if (value == null || own === null || (stacked && Number(own) === 0) || scale === null) return null
        const y = yOf(geometry, scale, toDrawn(value, one.unit.decimals))
        return (
          <div
            key={one.id}
            data-crosshair-dot=""
            className="pointer-events-none absolute -top-1 -left-1 size-2 rounded-full ring-1 ring-surface will-change-transform"
            style={{ background: one.colour, transform: `translate(${x}px, ${y}px)` }}
          />
        )
      })}
      {leads && (
        <ChartTooltip
          readings={readingsAt(series, time, interval, now)}
          x={x}
          width={geometry.width}
          hint={
            range === null
              ? undefined
              : `Select ${rangeLabel(range.from, range.to)} · ${touches ? 'lift to apply' : 'Enter takes it, Esc drops it'}`
          }
        />
      )}
    </>
  )
}
