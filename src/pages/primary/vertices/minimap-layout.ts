import { layerGap, nodeGap, type GraphLayout } from '../../../../charts/graph/layout.ts'
import { axisHeight, type Size } from '../../../../charts/graph/marks.ts'
import { wholeView, type Part } from './draw.ts'

/** Consecutive levels of the graph in one bar of the minimap. */
export type Bin = {
  /** The left edge and the width in the box, in pixels. */
  readonly left: number
  readonly width: number
  /** The heights of the chain that it stands for. */
  readonly first: number
  readonly last: number
  /** The vertices of all its levels, and of the widest one. */
  readonly vertices: number
  readonly widest: number
  readonly hasStop: boolean
}

/** How the minimap shows a graph in its box. */
type MapLayout = {
  /** The place of the graph in the left upper corner. */
  readonly x: number
  readonly y: number
  /** Pixels per unit of the graph. */
  readonly scaleX: number
  readonly scaleY: number
  /** Undefined where there is room to draw the graph itself. */
  readonly bins: readonly Bin[] | undefined
}

/** Pixels between levels below which single vertices can't be told apart. */
const minGap = 6
/** Pixels of a bar with the space beside it. */
const barWidth = 4
/** Around the bars, in pixels. */
const inset = 12

/**
 * A graph that fits is drawn to scale. A longer one would be a line of a pixel: it is stretched to the box in both
 * directions, and consecutive levels share a bar that is as high as the widest of them.
 */
export function mapOf(layout: GraphLayout, size: Size): MapLayout {
  const { x, y, scale } = wholeView(layout, size)
  if (layerGap * scale >= minGap || size.width <= 2 * inset)
    return { x, y, scaleX: scale, scaleY: scale, bins: undefined }
  const [inner, high] = [size.width - 2 * inset, size.height - axisHeight - 2 * inset]
  // Every level has a column of its own width, the first and the last one too.
  const scaleX = inner / (layout.width + layerGap)
  const scaleY = high / (layout.height + nodeGap)
  return {
    x: -layerGap / 2 - inset / scaleX,
    y: -(size.height - axisHeight) / scaleY / 2,
    scaleX,
    scaleY,
    bins: binsOf(layout, inner),
  }
}

function binsOf({ layers, nodes }: GraphLayout, inner: number): Bin[] {
  const count = Math.min(layers.length, Math.max(1, Math.floor(inner / barWidth)))
  const edge = (bin: number): number => Math.round((bin * layers.length) / count)
  return Array.from({ length: count }, (_, bin) => {
    const levels = layers.slice(edge(bin), edge(bin + 1))
    const left = inset + (edge(bin) / layers.length) * inner
    return {
      left,
      width: inset + (edge(bin + 1) / layers.length) * inner - left,
      first: levels[0]?.height ?? 0,
      last: levels.at(-1)?.height ?? 0,
      vertices: levels.reduce((sum, level) => sum + level.nodes.length, 0),
      widest: Math.max(0, ...levels.map((level) => level.nodes.length)),
      hasStop: levels.some((level) => level.nodes.some((node) => nodes[node]?.vertex.isStop)),
    }
  })
}

/** The place of the graph under a point of the box. */
export const placeIn = (map: MapLayout, at: { x: number; y: number }): { x: number; y: number } => ({
  x: map.x + at.x / map.scaleX,
  y: map.y + at.y / map.scaleY,
})

/** Where a part of the graph is in the box, above the axis. */
export const boxOf = (map: MapLayout, part: Part, size: Size): Part => ({
  left: Math.max(0, (part.left - map.x) * map.scaleX),
  top: Math.max(0, (part.top - map.y) * map.scaleY),
  right: Math.min(size.width, (part.right - map.x) * map.scaleX),
  bottom: Math.min(size.height - axisHeight, (part.bottom - map.y) * map.scaleY),
})
