import { shortText } from './series/units.ts'
import type { ValueScale } from './series/ticks.ts'
import { timeAnchor, yOf, type Geometry } from './geometry.ts'
import { axisText } from './plot.ts'
import type { LineShape, Shape, TextShape } from './shapes.ts'

const label = { kind: 'text', size: axisText.fontSize, fill: axisText.fill } as const

/** The labels of a value axis. */
export function valueLabels(geometry: Geometry, scale: ValueScale, side: 'left' | 'right'): TextShape[] {
  const x = side === 'left' ? geometry.left - 6 : geometry.left + geometry.plotWidth + 6
  return scale.ticks.map((tick) => ({
    ...label,
    x,
    y: yOf(geometry, scale, tick) + 4,
    text: shortText(tick, scale.step),
    anchor: side === 'left' ? 'end' : 'start',
  }))
}

/** A line across the plot at each label of a value axis. */
export function gridLines(geometry: Geometry, scale: ValueScale): LineShape[] {
  return scale.ticks.map((tick) => {
    const y = Math.round(yOf(geometry, scale, tick)) + 0.5
    return {
      kind: 'line',
      x1: geometry.left,
      x2: geometry.left + geometry.plotWidth,
      y1: y,
      y2: y,
      stroke: tick === 0 ? 'var(--color-line-strong)' : 'var(--color-line)',
      strokeWidth: 1,
    }
  })
}

/** The gridlines and axis labels of a chart. */
export function axisShapes(geometry: Geometry, left: ValueScale | null, right: ValueScale | null): Shape[] {
  const rows = left ?? right
  const base = geometry.top + geometry.plotHeight
  return [
    ...(rows === null ? [] : gridLines(geometry, rows)),
    ...(left === null ? [] : valueLabels(geometry, left, 'left')),
    ...(right === null ? [] : valueLabels(geometry, right, 'right')),
    ...geometry.timeTicks.flatMap((tick): Shape[] => {
      const x = geometry.x(tick.time)
      return [
        {
          kind: 'line',
          x1: x,
          x2: x,
          y1: base,
          y2: base + 4,
          stroke: 'var(--color-line-strong)',
          strokeWidth: 1,
        },
        {
          ...label,
          x,
          y: base + 16,
          text: tick.label,
          anchor: timeAnchor(tick.label, x, geometry.width),
        },
      ]
    }),
  ]
}
