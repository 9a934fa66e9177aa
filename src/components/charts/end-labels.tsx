import type { ReactNode } from 'react'
import { toDrawn } from '../../lib/series/series.ts'
import { stacked as stack } from '../../lib/series/transforms.ts'
import { spread, yOf } from './geometry.ts'
import type { PlotProps } from './plot.ts'

const LINE = 14

/** Names at the line ends, moved apart so that they do not overlap; they replace a legend. */
export function EndLabels({ plot }: { plot: PlotProps }): ReactNode {
  const { geometry, series, left, right } = plot
  const heights = plot.stacked ? stack(series.map((one) => one.points)) : series.map((one) => one.points)
  const ends = series.map((one, index) => {
    const last = heights[index]?.findLast((point) => point.value !== null)
    const scale = one.side === 'right' ? right : left
    if (last?.value == null || scale === null) return null
    return yOf(geometry, scale, toDrawn(last.value, one.unit.decimals))
  })
  const shown = series.flatMap((one, index) => {
    const y = ends[index]
    return y == null ? [] : [{ one, y }]
  })
  const places = spread(
    shown.map(({ y }) => y),
    LINE,
    geometry.top + 4,
    geometry.top + geometry.plotHeight,
  )
  const axis = right === null ? 0 : 44
  const x = geometry.left + geometry.plotWidth + 6 + axis
  return (
    <g aria-hidden="true">
      {shown.map(({ one }, index) => (
        <g key={one.id}>
          <line
            x1={x}
            x2={x + 8}
            y1={places[index]}
            y2={places[index]}
            stroke={one.colour}
            strokeWidth={3}
            strokeLinecap="round"
          />
          <text x={x + 14} y={(places[index] ?? 0) + 4} fontSize={11} fill="var(--color-text)">
            {one.label.length > 17 ? `${one.label.slice(0, 16)}…` : one.label}
          </text>
        </g>
      ))}
    </g>
  )
}
