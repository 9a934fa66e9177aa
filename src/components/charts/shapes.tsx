import type { ReactNode } from 'react'
import type { PathShape, Shape } from '../../../charts/shapes.ts'

const round = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const

function Path({
  d,
  fill = 'none',
  fillOpacity,
  stroke = 'none',
  strokeWidth,
  dash,
  round: isRound,
}: PathShape) {
  return (
    <path
      d={d}
      fill={fill}
      fillOpacity={fillOpacity}
      stroke={stroke}
      strokeWidth={strokeWidth}
      strokeDasharray={dash}
      {...(isRound === true && round)}
    />
  )
}

function Mark({ shape }: { shape: Shape }): ReactNode {
  if (shape.kind === 'path') return <Path {...shape} />
  if (shape.kind === 'text')
    return (
      <text
        x={shape.x}
        y={shape.y}
        fontSize={shape.size}
        fontWeight={shape.strong === true ? 600 : undefined}
        fill={shape.fill}
        textAnchor={shape.anchor}
      >
        {shape.text}
      </text>
    )
  const { x1, y1, x2, y2, stroke, strokeWidth, dash, round: isRound } = shape
  return (
    <line
      x1={x1}
      y1={y1}
      x2={x2}
      y2={y2}
      stroke={stroke}
      strokeWidth={strokeWidth}
      strokeDasharray={dash}
      {...(isRound === true && round)}
    />
  )
}

/** Shapes as SVG elements. They are read by sight only: charts have a table. */
export function Shapes({ shapes }: { shapes: readonly Shape[] }): ReactNode {
  return (
    <g aria-hidden="true">
      {shapes.map((shape, index) => (
        // Shapes have no identity: the list is made anew from the figures.
        // oxlint-disable-next-line react/no-array-index-key
        <Mark key={index} shape={shape} />
      ))}
    </g>
  )
}
