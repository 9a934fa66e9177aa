import { expect, test } from 'vitest'
import type { GraphVertex } from '../../../../contract/primary/blocks.ts'
import { layerGap, layoutGraph, nodeGap } from '../../../../charts/graph/layout.ts'
import { axisHeight } from '../../../../charts/graph/marks.ts'
import { boxOf, mapOf, placeIn } from './minimap-layout.ts'

const size = { width: 1_400, height: 84 }
const drawn = size.height - axisHeight

/** Levels of 1, 2, 3, 1, 2, 3, … vertices from a height on; the last vertex is the stop vertex. */
function graphOf(levels: number, from = 5_000) {
  const vertices = Array.from({ length: levels }, (_, level) =>
    Array.from({ length: 1 + (level % 3) }, (__, index): GraphVertex => ({
      vertexHash: `v${level}/${index}`,
      vertexHeight: from + level,
      vertexIndex: index,
      vertexTimestamp: 0,
      txCount: 1,
      parentHashes: level > 0 ? [`v${level - 1}/0`] : [],
      isStop: level === levels - 1 && index === 0,
    })),
  ).flat()
  return layoutGraph(vertices)
}

test('a graph that fits is drawn to scale', () => {
  const map = mapOf(graphOf(100), size)
  expect(map.bins).toBeUndefined()
  expect(map.scaleX).toBe(map.scaleY)
})

test.each([1_000, 2_345, 20_000])('%i levels fill the box, every vertex in one bar', (levels) => {
  const layout = graphOf(levels)
  const { bins = [], scaleY } = mapOf(layout, size)
  expect(bins.reduce((sum, { vertices }) => sum + vertices, 0)).toBe(layout.nodes.length)
  expect(bins[0]?.left).toBe(12)
  const last = bins.at(-1)
  expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(size.width - 12)
  expect([bins[0]?.first, last?.last]).toEqual([5_000, 5_000 + levels - 1])
  for (const [index, bin] of bins.entries()) {
    expect(bin.width).toBeGreaterThan(1)
    const next = bins[index + 1]
    if (next) expect([next.first, next.left]).toEqual([bin.last + 1, expect.closeTo(bin.left + bin.width)])
    // Three levels or more have each number of vertices among them.
    if (bin.last - bin.first >= 2) expect(bin.widest).toBe(3)
  }
  expect(bins.filter(({ hasStop }) => hasStop)).toEqual([last])
  // The widest level is as high as the box without its margins, not a line of a pixel.
  expect(3 * nodeGap * scaleY).toBeCloseTo(drawn - 24)
})

test('the bar under a point is that of the levels at its place', () => {
  const layout = graphOf(2_345)
  const map = mapOf(layout, size)
  for (const bin of map.bins ?? []) {
    const { x, y } = placeIn(map, { x: bin.left + bin.width / 2, y: drawn / 2 })
    const height = 5_000 + x / layerGap
    expect(height).toBeGreaterThanOrEqual(bin.first - 0.5)
    expect(height).toBeLessThanOrEqual(bin.last + 0.5)
    expect(y).toBeCloseTo(0)
  }
})

test('the frame is around the levels that are shown, and ends at the axis', () => {
  const layout = graphOf(1_000)
  const map = mapOf(layout, size)
  const part = { left: 250 * layerGap, right: 500 * layerGap, top: -1e6, bottom: 1e6 }
  const frame = boxOf(map, part, size)
  const inner = size.width - 24
  expect(frame.left).toBeCloseTo(12 + (250.5 / 1_000) * inner)
  expect(frame.right).toBeCloseTo(12 + (500.5 / 1_000) * inner)
  expect([frame.top, frame.bottom]).toEqual([0, drawn])
})
