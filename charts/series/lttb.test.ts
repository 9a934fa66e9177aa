import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lttb, type XY } from './lttb.ts'

const series = fc
  .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 600 })
  .map((values) => values.map((y, index): XY => ({ x: index * 3600, y })))

describe('lttb', () => {
  test('keeps first, last, lowest and highest, in order, from the given points, within the count', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 4, max: 300 }), (points, count) => {
        const kept = lttb(points, count)
        const given = new Set(points)
        expect(kept.length).toBeLessThanOrEqual(Math.max(count, 4))
        expect(kept.every((point) => given.has(point))).toBe(true)
        expect(kept[0]).toBe(points[0])
        expect(kept.at(-1)).toBe(points.at(-1))
        const ys = kept.map((point) => point.y)
        expect(Math.min(...ys)).toBe(Math.min(...points.map((point) => point.y)))
        expect(Math.max(...ys)).toBe(Math.max(...points.map((point) => point.y)))
        expect(kept.every((point, index) => index === 0 || point.x > (kept[index - 1]?.x ?? 0))).toBe(true)
      }),
    )
  })

  test('returns a short series unchanged', () => {
    const points = [
      { x: 0, y: 1 },
      { x: 1, y: 5 },
      { x: 2, y: 2 },
    ]
    expect(lttb(points, 3)).toBe(points)
    expect(lttb([], 10)).toEqual([])
  })

  test('picks the point that spans the largest triangle of each bucket', () => {
    // A flat line with one step in each half: the bucket means are flat, so the step wins.
    const points = Array.from({ length: 22 }, (_, x): XY => ({ x, y: x === 7 ? 3 : x === 15 ? -3 : 0 }))
    const kept = lttb(points, 6)
    expect(kept).toContainEqual({ x: 7, y: 3 })
    expect(kept).toContainEqual({ x: 15, y: -3 })
  })

  test('keeps both extremes when they share a bucket', () => {
    const points = Array.from({ length: 100 }, (_, x): XY => ({ x, y: x === 50 ? 9 : x === 51 ? -9 : 0 }))
    const ys = lttb(points, 10).map((point) => point.y)
    expect(ys).toContain(9)
    expect(ys).toContain(-9)
  })
})
