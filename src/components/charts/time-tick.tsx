import type { ReactNode } from 'react'
import { timeAnchor } from '../../../charts/geometry.ts'
import { axisText } from '../../../charts/plot.ts'

type Props = {
  /** The chart's width in pixels. */
  readonly width: number
  /** Set by recharts: position and text of the tick. */
  readonly x?: number
  readonly y?: number
  readonly index?: number
  readonly payload?: { readonly value: number }
  readonly tickFormatter?: (value: number, index: number) => string
}

/** A label of a time axis for recharts, kept inside the drawing at either end. */
export function TimeTick({ width, x = 0, y = 0, index = 0, payload, tickFormatter }: Props): ReactNode {
  const label = payload === undefined ? '' : (tickFormatter?.(payload.value, index) ?? '')
  return (
    <text {...axisText} x={x} y={y + 10} textAnchor={timeAnchor(label, x, width)}>
      {label}
    </text>
  )
}
