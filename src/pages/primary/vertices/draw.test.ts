import { expect, test } from 'vitest'
import type { GraphVertex } from '../../../../contract/primary/blocks.ts'
import { layerGap, layoutGraph } from '../../../../charts/graph/layout.ts'
import { axisHeight } from '../../../../charts/graph/marks.ts'
import { centred, nodesIn, partOf, wholeView } from './draw.ts'

const vertex = (height: number, index = 0): GraphVertex => ({
  vertexHash: `v${height}/${index}`,
  vertexHeight: height,
  vertexIndex: index,
  vertexTimestamp: 0,
  txCount: 1,
  parentHashes: height > 0 ? [`v${height - 1}/0`] : [],
  isStop: false,
})
const layout = layoutGraph([...Array.from({ length: 200 }, (_, height) => vertex(height)), vertex(100, 1)])
const heightsIn = (part: Parameters<typeof nodesIn>[1]): number[] =>
  nodesIn(layout, part).map((index) => layout.nodes[index]?.vertex.vertexHeight ?? -1)

test('a view shows the vertices inside it, and none below the axis', () => {
  const size = { width: 4 * layerGap, height: 200 + axisHeight }
  const part = partOf({ x: 9.5 * layerGap, y: -100, scale: 1 }, size)
  expect(heightsIn(part)).toEqual([10, 11, 12, 13])
  expect(heightsIn({ ...part, top: 1 })).toEqual([])
  // Twice as large, half as much is shown.
  expect(heightsIn(partOf({ x: 9.5 * layerGap, y: -50, scale: 2 }, size))).toEqual([10, 11])
})

test('the minimap shows every vertex, however many layers there are', () => {
  for (const width of [320, 1400]) {
    const size = { width, height: 84 }
    expect(nodesIn(layout, partOf(wholeView(layout, size), size))).toHaveLength(201)
  }
})

test('a place pressed in the minimap comes to the middle of the picture', () => {
  const size = { width: 600, height: 480 }
  const part = partOf(centred({ x: 0, y: 0, scale: 1.5 }, { x: 7_000, y: -30 }, size), size)
  expect((part.left + part.right) / 2).toBeCloseTo(7_000)
  expect((part.top + part.bottom) / 2).toBeCloseTo(-30)
})
