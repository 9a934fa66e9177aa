import type { ReactNode } from 'react'
import type { Readings } from './readings.ts'

/** The readings beside the cross-hair, for sighted users; the plot itself informs screen readers. */
export function TooltipBox({ readings, hint }: { readings: Readings; hint?: string | undefined }): ReactNode {
  return (
    <div
      aria-hidden="true"
      className="w-max max-w-[min(360px,90vw)] rounded-base border border-line bg-raised px-3 py-2 text-xs shadow-float"
    >
      <div className="mb-1 text-muted">{readings.period}</div>
      {readings.rows.map((row) => (
        <div key={row.id} className="mt-1 first:mt-0">
          <div className="flex items-center gap-2">
            <span className="h-[3px] w-3 shrink-0 rounded-full" style={{ background: row.colour }} />
            {readings.rows.length > 1 && (
              <span className="min-w-0 truncate pr-4 text-muted">{row.label}</span>
            )}
            <span className="ml-auto whitespace-nowrap">{row.value ?? 'no data'}</span>
          </div>
          {row.change !== null && <div className="pl-5 text-right text-muted">{row.change}</div>}
        </div>
      ))}
      {hint !== undefined && <div className="mt-2 border-t border-line pt-1 text-muted">{hint}</div>}
    </div>
  )
}

/** The room of a usual tooltip, in pixels: one without it beside the cross-hair covers that rather than leave the chart. */
const ROOM = 240

/** The tooltip beside the cross-hair of a chart over time. */
export function ChartTooltip({
  readings,
  x,
  width,
  hint,
}: {
  readings: Readings
  /** The cross-hair's position and the chart's width, in pixels: the box is on the wider side. */
  x: number
  width: number
  hint?: string | undefined
}): ReactNode {
  return (
    <div
      className="pointer-events-none absolute top-2 z-20"
      style={{ [x > width / 2 ? 'right' : 'left']: Math.min(Math.min(x, width - x) + 12, width - ROOM) }}
    >
      <TooltipBox readings={readings} hint={hint} />
    </div>
  )
}
