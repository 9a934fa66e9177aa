import type { GraphVertex } from '../../contract/primary/blocks.ts'
import { axisText } from '../plot.ts'
import type { Shape } from '../shapes.ts'
import { drawSheet, emptyShape, type Picture, type SheetOptions } from '../sheet.ts'
import { layoutGraph, type GraphLayout } from './layout.ts'
import {
  axisHeight,
  axisLabels,
  edgeWidth,
  graphColours,
  stillView,
  traceEdges,
  traceVertices,
  type Pen,
} from './marks.ts'

/** The width of a digit of the axis, in pixels. */
const CHARACTER = 6.4

const round = (value: number): string => String(Math.round(value * 10) / 10)

/** The path data of what is traced. An arc is always a whole circle. */
function traced(trace: (pen: Pen) => void): string {
  const parts: string[] = []
  trace({
    moveTo: (x, y) => parts.push(`M${round(x)},${round(y)}`),
    bezierCurveTo: (...numbers) => parts.push(`C${numbers.map(round).join(',')}`),
    arc: (x, y, radius) => {
      const [size, right] = [`${round(radius)},${round(radius)}`, round(x + radius)]
      parts.push(`A${size},0,1,1,${round(x - radius)},${round(y)}A${size},0,1,1,${right},${round(y)}Z`)
    },
    rect: (x, y, width, height) =>
      parts.push(`M${round(x)},${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`),
  })
  return parts.join('')
}

function graphShapes(layout: GraphLayout, width: number, height: number, end: 'first' | 'last'): Shape[] {
  const size = { width, height }
  const view = stillView(layout, size, end)
  const axis = height - axisHeight
  const filled = (fill: string, wantsStop: boolean): Shape => ({
    kind: 'path',
    d: traced((pen) => traceVertices(pen, layout, view, size, (_, isStop) => isStop === wantsStop)),
    fill,
  })
  const labels = axisLabels(
    layout.layers.map((layer) => ({ height: layer.height, at: (layer.x - view.x) * view.scale })),
    width,
    (at) => at.toLocaleString('en'),
    (text) => text.length * CHARACTER,
  )
  const shapes: Shape[] = [
    {
      kind: 'path',
      d: traced((pen) => traceEdges(pen, layout, view, size, () => true)),
      stroke: graphColours.edge,
      strokeWidth: edgeWidth(view.scale),
    },
    filled(graphColours.node, false),
    filled(graphColours.stop, true),
    { kind: 'line', x1: 0, x2: width, y1: axis, y2: axis, stroke: graphColours.line, strokeWidth: 1 },
    ...labels.map(({ text, at }): Shape => ({
      kind: 'text',
      x: at,
      y: axis + 16,
      text,
      size: axisText.fontSize,
      fill: axisText.fill,
      anchor: 'middle',
    })),
  ]
  return shapes.filter((shape) => shape.kind !== 'path' || shape.d !== '')
}

/** Draws a part of a graph of vertices: as much of its first or last layers as can be told apart. */
export function drawGraphPicture(
  options: SheetOptions & {
    readonly vertices: readonly GraphVertex[]
    readonly end: 'first' | 'last'
    /** Shown if there are no vertices. */
    readonly empty: string
  },
): Picture {
  const { vertices, end, empty } = options
  const names = [
    { label: 'vertex, larger with more transactions', colour: graphColours.node },
    ...(vertices.some(({ isStop }) => isStop)
      ? [{ label: 'stop vertex, the last one', colour: graphColours.stop }]
      : []),
  ]
  return drawSheet(options, vertices.length === 0 ? [] : names, (width, height) =>
    vertices.length === 0
      ? [emptyShape(width / 2, height / 2, empty)]
      : graphShapes(layoutGraph(vertices), width, height, end),
  )
}
