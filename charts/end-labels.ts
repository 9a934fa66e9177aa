import { drawnPoints, scaleOfSide } from './drawn-points.ts'
import { spread, yOf } from './geometry.ts'
import type { PlotProps } from './plot.ts'
import { toDrawn } from './series/series.ts'
import type { Shape } from './shapes.ts'

const LINE = 14

/** Names at the line ends, moved apart so that they do not overlap; they replace a legend. */
export function endLabelShapes(plot: PlotProps): Shape[] {
  const { geometry, series, right, labels } = plot
  if (labels === null) return []
  const heights = drawnPoints(plot)
  const shown = series.flatMap((one, index) => {
    const last = heights[index]?.findLast((point) => point.value !== null)
    const scale = scaleOfSide(one, plot)
    if (last?.value == null || scale === null) return []
    return [
      {
        colour: one.colour,
        text: labels[index] ?? one.label,
        y: yOf(geometry, scale, toDrawn(last.value, one.unit.decimals)),
      },
    ]
  })
  const places = spread(
    shown.map(({ y }) => y),
    LINE,
    geometry.top + 4,
    geometry.top + geometry.plotHeight,
  )
  const x = geometry.left + geometry.plotWidth + 6 + (right === null ? 0 : 44)
  return shown.flatMap(({ colour, text }, index): Shape[] => {
    const y = places[index] ?? 0
    return [
      { kind: 'line', x1: x, x2: x + 8, y1: y, y2: y, stroke: colour, strokeWidth: 3, round: true },
      { kind: 'text', x: x + 14, y: y + 4, text, size: 11, fill: 'var(--color-text)', anchor: 'start' },
    ]
  })
}
