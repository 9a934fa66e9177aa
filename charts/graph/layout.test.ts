import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import type { GraphVertex } from '../../contract/primary/blocks.ts'
import { layerGap, layoutGraph, neighbourOf, type GraphLayout } from './layout.ts'

const vertex = (hash: string, height: number, parents: string[], index = 0): GraphVertex => ({
  vertexHash: hash,
  vertexHeight: height,
  vertexIndex: index,
  vertexTimestamp: 0,
  txCount: 1,
  parentHashes: parents,
  isStop: false,
})

const place = (vertices: GraphVertex[], hash: string) => {
  const found = layoutGraph(vertices).nodes.find((node) => node.vertex.vertexHash === hash)
  if (!found) throw new Error(`no ${hash}`)
  return found
}

/** The number of crossing pairs of edges between the same two layers. */
function crossingsOf({ nodes, edges }: GraphLayout): number {
  let count = 0
  for (const [at, [a, b]] of edges.entries())
    for (const [c, d] of edges.slice(at + 1)) {
      const [from, to, other, end] = [nodes[a], nodes[b], nodes[c], nodes[d]]
      if (!from || !to || !other || !end || from.x !== other.x || to.x !== end.x) continue
      if ((from.y - other.y) * (to.y - end.y) < 0) count += 1
    }
  return count
}

test('makes a layer of each height without gaps, and counts hidden parents', () => {
  const vertices = [vertex('c', 90, ['a', 'x']), vertex('a', 7, []), vertex('b', 7, [])]
  const layout = layoutGraph(vertices)
  expect(layout.layers.map(({ height, x }) => [height, x])).toEqual([
    [7, 0],
    [90, layerGap],
  ])
  expect(layout.hiddenParents).toBe(1)
  expect(place(vertices, 'a').y).not.toBe(place(vertices, 'b').y)
})

test('untangles two chains given in crossed order', () => {
  const crossed = [
    vertex('a0', 0, [], 0),
    vertex('b0', 0, [], 1),
    vertex('b1', 1, ['b0'], 0),
    vertex('a1', 1, ['a0'], 1),
    vertex('a2', 2, ['a1'], 0),
    vertex('b2', 2, ['b1'], 1),
  ]
  expect(crossingsOf(layoutGraph(crossed))).toBe(0)
  expect(place(crossed, 'a1').y).toBe(place(crossed, 'a2').y)
})

test('gives each vertex its own place, whatever the input order', () => {
  const graph = array(integer({ min: 0, max: 8 }), { maxLength: 60 }).map((heights) =>
    heights.map((height, index) =>
      vertex(
        `v${index}`,
        height,
        heights.flatMap((other, at) =>
          other === height - 1 && (at * 7 + index) % 3 === 0 ? [`v${at}`] : [],
        ),
        index,
      ),
    ),
  )
  assert(
    property(graph, (vertices) => {
      const { nodes } = layoutGraph(vertices)
      expect(new Set(nodes.map(({ x, y }) => `${x}/${y}`)).size).toBe(vertices.length)
      expect(layoutGraph(vertices.toReversed()).nodes).toEqual(nodes)
    }),
  )
})

test('moves along edges and within a layer by keys', () => {
  const layout = layoutGraph([vertex('a', 0, [], 0), vertex('b', 0, [], 1), vertex('c', 1, ['a', 'b'], 0)])
  const at = (hash: string): number => layout.nodes.findIndex((node) => node.vertex.vertexHash === hash)
  expect(neighbourOf(layout, at('a'), 'right')).toBe(at('c'))
  expect(neighbourOf(layout, at('a'), 'down')).toBe(at('b'))
  expect([at('a'), at('b')]).toContain(neighbourOf(layout, at('c'), 'left'))
  expect(neighbourOf(layout, at('c'), 'right')).toBe(at('c'))
})
