import { formatInteger } from '../../../lib/amounts.ts'
import { nodeGap, type GraphLayout } from './layout.ts'
import type { Bin } from './minimap-layout.ts'

/** The visible part of the picture: the point at the top left corner, and screen pixels per unit. */
export type View = { x: number; y: number; scale: number }

/** The colours of the picture, in the canvas' format. */
export type Ink = {
  node: string
  edge: string
  linked: string
  stop: string
  accent: string
  surface: string
  muted: string
  line: string
}

export type Size = { width: number; height: number }

const leastScale = 0.05
const mostScale = 4
const readable = 0.5
export const axisHeight = 24
const margin = 40
/** Around the whole graph in the minimap, in pixels. */
const inset = 12

/** The radius of a vertex, by its number of transactions. */
const radiusOf = (txCount: number): number => 5 + Math.min(5, Math.log2(1 + txCount))

/** The view of the whole picture, or of its right end if the whole would be too small. */
export function fitView(layout: GraphLayout, size: Size): View {
  const wide = (size.width - margin * 2) / Math.max(1, layout.width)
  const high = (size.height - axisHeight - margin * 2) / Math.max(1, layout.height)
  const scale = wide < readable ? Math.min(1, Math.max(readable, high)) : Math.min(1.4, wide, high)
  const shown = size.width / scale
  const x = layout.width <= shown ? (layout.width - shown) / 2 : layout.width - shown + margin / scale
  return { x, y: -(size.height - axisHeight) / scale / 2, scale }
}

/** The view with another scale that keeps the point at `at` (screen pixels) in place. */
export function zoomed(view: View, factor: number, at: { x: number; y: number }): View {
  const scale = Math.min(mostScale, Math.max(leastScale, view.scale * factor))
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
  const [left, top] = [view.x - margin / scale, view.y - margin / scale]
  const right = view.x + (size.width + margin) / scale
  const bottom = view.y + (size.height + margin) / scale
  const screenX = (x: number): number => (x - view.x) * scale
  const screenY = (y: number): number => (y - view.y) * scale

  context.clearRect(0, 0, size.width, size.height)
  const trace = (linked: boolean): void => {
    context.beginPath()
    for (const [child, parent] of edges) {
      const [from, to] = [nodes[child], nodes[parent]]
      if (!from || !to) continue
      if ((child === selected || parent === selected) !== linked) continue
      if (to.x > right || from.x < left || Math.min(from.y, to.y) > bottom || Math.max(from.y, to.y) < top)
        continue
      const [x0, y0, x1, y1] = [screenX(from.x), screenY(from.y), screenX(to.x), screenY(to.y)]
      const bend = (x0 + x1) / 2
      context.moveTo(x0, y0)
      context.bezierCurveTo(bend, y0, bend, y1, x1, y1)
    }
    context.stroke()
  }
  context.lineWidth = Math.max(0.6, Math.min(1.5, scale * 1.4))
  context.strokeStyle = ink.edge
  trace(false)
  if (selected !== undefined) {
    context.lineWidth = 2
    context.strokeStyle = ink.accent
    trace(true)
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
    for (const [index, { vertex, x, y }] of nodes.entries()) {
      if (x < left || x > right || y < top || y > bottom) continue
      if ((vertex.isStop ? 'stop' : linked.has(index) ? 'linked' : 'node') !== kind) continue
      const radius = Math.max(1.5, radiusOf(vertex.txCount) * Math.min(1, scale))
      const [cx, cy] = [screenX(x), screenY(y)]
      // The stop vertex has another shape, so that it does not depend on colour.
      if (kind === 'stop') context.rect(cx - radius, cy - radius, radius * 2, radius * 2)
      else {
        context.moveTo(cx + radius, cy)
        context.arc(cx, cy, radius, 0, Math.PI * 2)
      }
    }
    context.fill()
  }
  fill('node')
  fill('linked')
  fill('stop')
  const chosen = selected === undefined ? undefined : nodes[selected]
  if (chosen) {
    const radius = Math.max(4, radiusOf(chosen.vertex.txCount) * Math.min(1, scale) + 4)
    context.lineWidth = 2.5
    context.strokeStyle = ink.accent
    context.beginPath()
    context.arc(screenX(chosen.x), screenY(chosen.y), radius, 0, Math.PI * 2)
    context.stroke()
  }

  drawAxis(
    context,
    layers.map(({ height, x }) => ({ height, at: screenX(x) })),
    size,
    ink,
  )
}

/** Draws the axis of heights; of labels that would overlap, the first one. */
function drawAxis(
  context: CanvasRenderingContext2D,
  labels: readonly { height: number; at: number }[],
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
  let free = 0
  for (const { height, at } of labels) {
    const text = formatInteger(height)
    const half = context.measureText(text).width / 2
    if (at - half < free || at + half > size.width) continue
    context.fillText(text, at, axis + axisHeight / 2)
    free = at + half + 16
  }
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
