import type { GraphLayout } from './layout.ts'

/** The visible part of a graph: the point at the top left corner, and screen pixels per unit. */
export type View = { x: number; y: number; scale: number }

/** The area that a graph is drawn on, with its axis, in pixels. */
export type Size = { width: number; height: number }

/** The colours of a graph, by their variables in the style sheet. */
export const graphColours = {
  node: 'var(--color-series-3)',
  edge: 'var(--color-line-strong)',
  linked: 'var(--color-series-1)',
  stop: 'var(--color-warn)',
  accent: 'var(--color-accent)',
  surface: 'var(--color-surface)',
  muted: 'var(--color-muted)',
  line: 'var(--color-line)',
} as const

/** The height of the axis below a graph, in pixels. */
export const axisHeight = 24
/** The scale below which a graph is cut rather than made smaller. */
const readable = 0.5
const largest = 1.4
/** Around a whole graph, in pixels. */
const margin = 40
/** The space between two labels of the axis, in pixels. */
const labelGap = 16

/** What draws a path: the context of a canvas, or what writes the data of an SVG path. */
export type Pen = {
  moveTo: (x: number, y: number) => void
  bezierCurveTo: (x1: number, y1: number, x2: number, y2: number, x: number, y: number) => void
  arc: (x: number, y: number, radius: number, start: number, end: number) => void
  rect: (x: number, y: number, width: number, height: number) => void
}

/** The scales at which a graph fills an area in each direction. */
const fillingScales = (layout: GraphLayout, size: Size): { wide: number; high: number } => ({
  wide: (size.width - margin * 2) / Math.max(1, layout.width),
  high: (size.height - axisHeight - margin * 2) / Math.max(1, layout.height),
})

/** A view of a graph that is in the middle, or shows one end of what is too long. */
function viewAt(layout: GraphLayout, size: Size, scale: number, end: 'first' | 'last'): View {
  const shown = size.width / scale
  const edge = margin / scale
  const x =
    layout.width + 2 * edge <= shown
      ? (layout.width - shown) / 2
      : end === 'first'
        ? -edge
        : layout.width - shown + edge
  return { x, y: -(size.height - axisHeight) / scale / 2, scale }
}

/** The view of the whole graph, or of its right end if the whole would be too small. */
export function fitView(layout: GraphLayout, size: Size): View {
  const { wide, high } = fillingScales(layout, size)
  const scale = wide < readable ? Math.min(1, Math.max(readable, high)) : Math.min(largest, wide, high)
  return viewAt(layout, size, scale, 'last')
}

/** The view of a graph that nobody can move: like `fitView`, but its widest layer fits, and `end` says what is shown. */
export function stillView(layout: GraphLayout, size: Size, end: 'first' | 'last'): View {
  const { wide, high } = fillingScales(layout, size)
  return viewAt(layout, size, Math.min(largest, Math.max(readable, wide), high), end)
}

/** The radius of a vertex, by its number of transactions. */
export const radiusOf = (txCount: number, scale: number): number =>
  (5 + Math.min(5, Math.log2(1 + txCount))) * Math.min(1, scale)

/** The width of an edge. */
export const edgeWidth = (scale: number): number => Math.max(0.6, Math.min(1.5, scale * 1.4))

/** The part of a graph in which marks can be seen. */
function seenPart({ x, y, scale }: View, { width, height }: Size) {
  return {
    left: x - margin / scale,
    top: y - margin / scale,
    right: x + (width + margin) / scale,
    bottom: y + (height + margin) / scale,
  }
}

/** Traces the visible edges that are `wanted`. */
export function traceEdges(
  pen: Pen,
  { nodes, edges }: GraphLayout,
  view: View,
  size: Size,
  wanted: (child: number, parent: number) => boolean,
): void {
  const { left, top, right, bottom } = seenPart(view, size)
  for (const [child, parent] of edges) {
    const [from, to] = [nodes[child], nodes[parent]]
    if (!from || !to || !wanted(child, parent)) continue
    if (to.x > right || from.x < left || Math.min(from.y, to.y) > bottom || Math.max(from.y, to.y) < top)
      continue
    const [x0, y0] = [(from.x - view.x) * view.scale, (from.y - view.y) * view.scale]
    const [x1, y1] = [(to.x - view.x) * view.scale, (to.y - view.y) * view.scale]
    const bend = (x0 + x1) / 2
    pen.moveTo(x0, y0)
    pen.bezierCurveTo(bend, y0, bend, y1, x1, y1)
  }
}

/** Traces the visible vertices that are `wanted`. The stop vertex is a square, so that it does not depend on colour. */
export function traceVertices(
  pen: Pen,
  { nodes }: GraphLayout,
  view: View,
  size: Size,
  wanted: (index: number, isStop: boolean) => boolean,
): void {
  const { left, top, right, bottom } = seenPart(view, size)
  for (const [index, { vertex, x, y }] of nodes.entries()) {
    if (x < left || x > right || y < top || y > bottom || !wanted(index, vertex.isStop)) continue
    const radius = Math.max(1.5, radiusOf(vertex.txCount, view.scale))
    const [cx, cy] = [(x - view.x) * view.scale, (y - view.y) * view.scale]
    if (vertex.isStop) pen.rect(cx - radius, cy - radius, radius * 2, radius * 2)
    else {
      pen.moveTo(cx + radius, cy)
      pen.arc(cx, cy, radius, 0, Math.PI * 2)
    }
  }
}

/** The labels of an axis of heights that have room; of those that would overlap, the first one. */
export function axisLabels(
  heights: readonly { readonly height: number; readonly at: number }[],
  width: number,
  textOf: (height: number) => string,
  widthOf: (text: string) => number,
): { text: string; at: number }[] {
  let free = 0
  return heights.flatMap(({ height, at }) => {
    if (at < free || at > width) return []
    const text = textOf(height)
    const half = widthOf(text) / 2
    if (at - half < free || at + half > width) return []
    free = at + half + labelGap
    return [{ text, at }]
  })
}
