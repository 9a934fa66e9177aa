import { nodeGap, type GraphLayout } from '../../../../charts/graph/layout.ts'
import {
  axisHeight,
  axisLabels,
  edgeWidth,
  radiusOf,
  traceEdges,
  traceVertices,
  type graphColours,
  type Size,
  type View,
} from '../../../../charts/graph/marks.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import type { Bin } from './minimap-layout.ts'

/** The colours of the picture, in the canvas' format. */
export type Ink = Record<keyof typeof graphColours, string>

const minScale = 0.05
const maxScale = 4
/** Around the whole graph in the minimap, in pixels. */
const inset = 12

/** The view with another scale that keeps the point at `at` (screen pixels) in place. */
export function zoomed(view: View, factor: number, at: { x: number; y: number }): View {
  const scale = Math.min(maxScale, Math.max(minScale, view.scale * factor))
  return {
    x: view.x + at.x / view.scale - at.x / scale,
    y: view.y + at.y / view.scale - at.y / scale,
    scale,
  }
}

/** The view moved as little as necessary to show a place with some margin. */
export function shown(view: View, place: { x: number; y: number }, size: Size): View {
  const edge = Math.min(64, size.width / 4, size.height / 4) / view.scale
  const width = size.width / view.scale
  const height = (size.height - axisHeight) / view.scale
  return {
    ...view,
    x: Math.min(place.x - edge, Math.max(place.x + edge - width, view.x)),
    y: Math.min(place.y - edge, Math.max(place.y + edge - height, view.y)),
  }
}

/** The view with a place in its middle, at the same scale. */
export const centred = (view: View, place: { x: number; y: number }, size: Size): View => ({
  ...view,
  x: place.x - size.width / view.scale / 2,
  y: place.y - (size.height - axisHeight) / view.scale / 2,
})

/** A part of the graph in its own coordinates. */
export type Part = { left: number; top: number; right: number; bottom: number }

/** The part of the graph that a view shows, without the axis. */
export const partOf = (view: View, size: Size): Part => ({
  left: view.x,
  top: view.y,
  right: view.x + size.width / view.scale,
  bottom: view.y + (size.height - axisHeight) / view.scale,
})

/** The indices of the vertices in a part of the graph, in the order of the layout. */
export const nodesIn = ({ nodes }: GraphLayout, { left, top, right, bottom }: Part): number[] =>
  nodes.flatMap(({ x, y }, index) => (x >= left && x <= right && y >= top && y <= bottom ? [index] : []))

/** The view of the whole graph, however small it becomes: that of the minimap. */
export function wholeView(layout: GraphLayout, size: Size): View {
  const [width, height] = [size.width - inset * 2, size.height - axisHeight - inset * 2]
  const scale = Math.min(1, width / Math.max(1, layout.width), height / Math.max(1, layout.height))
  return {
    x: (layout.width - size.width / scale) / 2,
    y: -(size.height - axisHeight) / scale / 2,
    scale,
  }
}

/** The vertex at a screen point: the nearest one within touch distance. */
export function vertexAt(layout: GraphLayout, view: View, at: { x: number; y: number }): number | undefined {
  const [x, y] = [view.x + at.x / view.scale, view.y + at.y / view.scale]
  const reach = Math.max(14 / view.scale, 12)
  let best: number | undefined
  let least = reach * reach
  for (const [index, node] of layout.nodes.entries()) {
    const distance = (node.x - x) ** 2 + (node.y - y) ** 2
    if (distance > least) continue
    least = distance
    best = index
  }
  return best
}

/** Draws the visible part: only edges and vertices near it, all of one kind in one stroke. */
export function drawGraph(
  context: CanvasRenderingContext2D,
  layout: GraphLayout,
  view: View,
  size: Size,
  ink: Ink,
  selected: number | undefined,
): void {
  const { nodes, edges, layers } = layout
  const { scale } = view
  context.clearRect(0, 0, size.width, size.height)
  const stroke = (ofSelected: boolean): void => {
    context.beginPath()
    traceEdges(
      context,
      layout,
      view,
      size,
      (child, parent) => (child === selected || parent === selected) === ofSelected,
    )
    context.stroke()
  }
  context.lineWidth = edgeWidth(scale)
  context.strokeStyle = ink.edge
  stroke(false)
  if (selected !== undefined) {
    context.lineWidth = 2
    context.strokeStyle = ink.accent
    stroke(true)
  }

  const linked = new Set<number>()
  if (selected !== undefined)
    for (const [child, parent] of edges) {
      if (child === selected) linked.add(parent)
      if (parent === selected) linked.add(child)
    }
  const fill = (kind: 'node' | 'linked' | 'stop'): void => {
    context.fillStyle = ink[kind]
    context.beginPath()
    traceVertices(
      context,
      layout,
      view,
      size,
      (index, isStop) => (isStop ? 'stop' : linked.has(index) ? 'linked' : 'node') === kind,
    )
    context.fill()
  }
  fill('node')
  fill('linked')
  fill('stop')
  const chosen = selected === undefined ? undefined : nodes[selected]
  if (chosen) {
    const [x, y] = [(chosen.x - view.x) * scale, (chosen.y - view.y) * scale]
    context.lineWidth = 2.5
    context.strokeStyle = ink.accent
    context.beginPath()
    context.arc(x, y, Math.max(4, radiusOf(chosen.vertex.txCount, scale) + 4), 0, Math.PI * 2)
    context.stroke()
  }

  drawAxis(
    context,
    layers.map(({ height, x }) => ({ height, at: (x - view.x) * scale })),
    size,
    ink,
  )
}

/** Draws the axis of heights. */
function drawAxis(
  context: CanvasRenderingContext2D,
  heights: readonly { height: number; at: number }[],
  size: Size,
  ink: Ink,
): void {
  const axis = size.height - axisHeight
  context.fillStyle = ink.surface
  context.fillRect(0, axis, size.width, axisHeight)
  context.fillStyle = ink.line
  context.fillRect(0, axis, size.width, 1)
  context.fillStyle = ink.muted
  context.font = '12px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const widthOf = (text: string): number => context.measureText(text).width
  for (const { text, at } of axisLabels(heights, size.width, formatInteger, widthOf))
    context.fillText(text, at, axis + axisHeight / 2)
}

/** Draws the bars of the minimap: light up to the widest level of each, full up to the mean one. */
export function drawBars(
  context: CanvasRenderingContext2D,
  { bins, scaleY }: { bins: readonly Bin[]; scaleY: number },
  size: Size,
  ink: Ink,
): void {
  context.clearRect(0, 0, size.width, size.height)
  const middle = (size.height - axisHeight) / 2
  const bar = ({ left, width }: Bin, vertices: number): void => {
    const high = Math.max(2, vertices * nodeGap * scaleY)
    context.fillRect(left, middle - high / 2, Math.max(1, width - 1), high)
  }
  for (const bin of bins) {
    context.fillStyle = bin.hasStop ? ink.stop : ink.edge
    bar(bin, bin.widest)
    if (bin.hasStop) continue
    context.fillStyle = ink.node
    bar(bin, bin.vertices / (bin.last - bin.first + 1))
  }
  drawAxis(
    context,
    bins.map(({ first, left }) => ({ height: first, at: left })),
    size,
    ink,
  )
}
