import type { ReactNode } from 'react'
import { shortText } from '../../lib/series/units.ts'
import type { ValueScale } from '../../lib/series/ticks.ts'
import { yOf, type Geometry } from './geometry.ts'
import { axisText } from './plot.ts'
import { timeAnchor } from './time-tick.tsx'

function ValueLabels({
  geometry,
  scale,
  side,
}: {
  geometry: Geometry
  scale: ValueScale
  side: 'left' | 'right'
}): ReactNode {
  const x = side === 'left' ? geometry.left - 6 : geometry.left + geometry.plotWidth + 6
  return scale.ticks.map((tick) => (
    <text
      key={tick}
      {...axisText}
      x={x}
      y={yOf(geometry, scale, tick) + 4}
      textAnchor={side === 'left' ? 'end' : 'start'}
    >
      {shortText(tick, scale.step)}
    </text>
  ))
}

/** The gridlines and axis labels of a small chart. */
export function Axes({
  geometry,
  left,
  right,
}: {
  geometry: Geometry
  left: ValueScale | null
  right: ValueScale | null
}): ReactNode {
  const rows = left ?? right
  const end = geometry.left + geometry.plotWidth
  const base = geometry.top + geometry.plotHeight
  return (
    <g aria-hidden="true">
      {rows?.ticks.map((tick) => {
        const y = Math.round(yOf(geometry, rows, tick)) + 0.5
        return (
          <line
            key={tick}
            x1={geometry.left}
            x2={end}
            y1={y}
            y2={y}
            stroke={tick === 0 ? 'var(--color-line-strong)' : 'var(--color-line)'}
            strokeWidth={1}
          />
        )
      })}
      {left && <ValueLabels geometry={geometry} scale={left} side="left" />}
      {right && <ValueLabels geometry={geometry} scale={right} side="right" />}
      {geometry.timeTicks.map((tick) => {
        const x = geometry.x(tick.time)
        return (
          <g key={tick.time}>
            <line x1={x} x2={x} y1={base} y2={base + 4} stroke="var(--color-line-strong)" strokeWidth={1} />
            <text {...axisText} x={x} y={base + 16} textAnchor={timeAnchor(tick.label, x, geometry.width)}>
              {tick.label}
            </text>
          </g>
        )
      })}
    </g>
  )
}
