import type { GraphVertex } from '../../contract/primary/blocks.ts'

/** A vertex with its position in the picture, in pixels at scale 1. */
type PlacedVertex = { vertex: GraphVertex; x: number; y: number }

/** A laid out graph: edges lead from a vertex to its parent, both as indices of `nodes`. */
export type GraphLayout = {
  nodes: readonly PlacedVertex[]
  edges: readonly (readonly [child: number, parent: number])[]
  /** The shown heights, lowest first, with their positions. */
  layers: readonly { height: number; x: number; nodes: readonly number[] }[]
  /** The number of edges to parents outside the picture. */
  hiddenParents: number
  width: number
  height: number
}

export const layerGap = 72
export const nodeGap = 34
const sweeps = 6

/** The mean position of the neighbours; a vertex without any keeps its own. */
function barycentre(neighbours: readonly number[], place: readonly number[], own: number): number {
  if (neighbours.length === 0) return own
  return neighbours.reduce((sum, one) => sum + (place[one] ?? 0), 0) / neighbours.length
}

function push<K>(lists: Map<K, number[]>, key: K, value: number): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/**
 * Places vertices in layers by height, from left to right, and orders each layer by the barycentre of its neighbours
 * in several sweeps, which reduces crossings. The result does not depend on the input order.
 */
export function layoutGraph(vertices: readonly GraphVertex[]): GraphLayout {
  const sorted = vertices.toSorted(
    (a, b) =>
      a.vertexHeight - b.vertexHeight ||
      a.vertexIndex - b.vertexIndex ||
      (a.vertexHash < b.vertexHash ? -1 : 1),
  )
  const indexOf = new Map(sorted.map((vertex, index) => [vertex.vertexHash, index]))
  const parents = new Map<number, number[]>()
  const children = new Map<number, number[]>()
  const byHeight = new Map<number, number[]>()
  const edges: [number, number][] = []
  let hiddenParents = 0
  for (const [index, vertex] of sorted.entries()) {
    push(byHeight, vertex.vertexHeight, index)
    for (const hash of vertex.parentHashes) {
      const parent = indexOf.get(hash)
      if (parent === undefined) hiddenParents += 1
      else {
        edges.push([index, parent])
        push(parents, index, parent)
        push(children, parent, index)
      }
    }
  }
  const layers = [...byHeight.entries()]
  // Positions are centred around 0, so that layers of different sizes are aligned.
  const place: number[] = []
  const settle = (layer: readonly number[]): void =>
    layer.forEach((node, at) => (place[node] = at - (layer.length - 1) / 2))
  for (const [, layer] of layers) settle(layer)
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const forth = sweep % 2 === 0
    const neighbours = forth ? parents : children
    for (const [, layer] of forth ? layers : layers.toReversed()) {
      const want = new Map(
        layer.map((node) => [node, barycentre(neighbours.get(node) ?? [], place, place[node] ?? 0)]),
      )
      layer.sort((a, b) => (want.get(a) ?? 0) - (want.get(b) ?? 0) || a - b)
      settle(layer)
    }
  }
  const widest = Math.max(1, ...layers.map(([, layer]) => layer.length))
  const xs = new Map(layers.map(([height], at) => [height, at * layerGap]))
  return {
    nodes: sorted.map((vertex, index) => ({
      vertex,
      x: xs.get(vertex.vertexHeight) ?? 0,
      y: (place[index] ?? 0) * nodeGap,
    })),
    edges,
    layers: layers.map(([height, layer]) => ({ height, x: xs.get(height) ?? 0, nodes: layer })),
    hiddenParents,
    width: Math.max(0, layers.length - 1) * layerGap,
    height: (widest - 1) * nodeGap,
  }
}

/** The vertex that a key leads to: along an edge, or up and down within the layer. */
export function neighbourOf(
  { nodes, edges, layers }: GraphLayout,
  at: number,
  direction: 'left' | 'right' | 'up' | 'down',
): number {
  const own = nodes[at]
  if (!own) return at
  if (direction === 'up' || direction === 'down') {
    const layer = layers.find(({ x }) => x === own.x)?.nodes ?? []
    return layer[layer.indexOf(at) + (direction === 'up' ? -1 : 1)] ?? at
  }
  const linked = edges.flatMap(([child, parent]) =>
    direction === 'left' ? (child === at ? [parent] : []) : parent === at ? [child] : [],
  )
  const distance = (node: number): number => Math.abs((nodes[node]?.y ?? 0) - own.y)
  return linked.toSorted((a, b) => distance(a) - distance(b))[0] ?? at
}
