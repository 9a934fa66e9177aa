import type { ReactNode, SVGAttributes } from 'react'
import type { Shape, Stroke } from '../../../charts/shapes.ts'

function strokeOf({ stroke = 'none', strokeWidth, dash, round }: Partial<Stroke>): SVGAttributes<SVGElement> {
  return {
    stroke,
    strokeWidth,
    strokeDasharray: dash,
    ...(round === true && { strokeLinecap: 'round', strokeLinejoin: 'round' }),
  }
}

function Mark({ shape }: { shape: Shape }): ReactNode {
  switch (shape.kind) {
    case 'path':
      return (
        <path d={shape.d} fill={shape.fill ?? 'none'} fillOpacity={shape.fillOpacity} {...strokeOf(shape)}>
          {shape.title !== undefined && <title>{shape.title}</title>}
        </path>
      )
    case 'line':
      return <line x1={shape.x1} y1={shape.y1} x2={shape.x2} y2={shape.y2} {...strokeOf(shape)} />
    case 'text':
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
  }
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
