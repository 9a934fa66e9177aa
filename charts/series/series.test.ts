import { describe, expect, test } from 'vitest'
import {
  ascending,
  change,
  changeAt,
  drawing,
  extent,
  indexAt,
  splitAtGaps,
  toDrawn,
  within,
  type SeriesPoint,
} from './series.ts'

const DAY = 86400
const monday = Date.parse('2025-11-03T00:00:00Z') / 1000

function days(...values: (number | bigint | null)[]): SeriesPoint[] {
  return values.map((value, index) => ({ timestamp: monday + index * DAY, value }))
}

describe('ascending', () => {
  test('turns pages around and keeps the fresher of two overlapping points', () => {
    const newest = [
      { timestamp: 3, value: 30 },
      { timestamp: 2, value: 21 },
    ]
    const older = [
      { timestamp: 2, value: 20 },
      { timestamp: 1, value: 10 },
    ]
    expect(ascending([...newest, ...older])).toEqual([
      { timestamp: 1, value: 10 },
      { timestamp: 2, value: 21 },
      { timestamp: 3, value: 30 },
    ])
  })
})

describe('gaps', () => {
  test('split at a missing period and at a known absence', () => {
    const points = [
      ...days(1, 2),
      { timestamp: monday + 3 * DAY, value: 4 },
      { timestamp: monday + 4 * DAY, value: null },
    ]
    expect(splitAtGaps(points, 'day').map((run) => run.map((point) => point.value))).toEqual([[1, 2], [4]])
  })

  test('do not split where months differ in length', () => {
    const firsts = ['2025-01-01', '2025-02-01', '2025-03-01'].map((day) => ({
      timestamp: Date.parse(`${day}T00:00:00Z`) / 1000,
      value: 1,
    }))
    expect(splitAtGaps(firsts, 'month')).toHaveLength(1)
  })
})

describe('drawing', () => {
  test('puts marks in the middle of their period and ends an open one in a dashed tail', () => {
    const points = days(1, 2, 3)
    const made = drawing(points, { interval: 'day', now: monday + 2 * DAY + 60, max: 100 })
    expect(made.segments).toEqual([
      [
        { x: monday + DAY / 2, y: 1 },
        { x: monday + 1.5 * DAY, y: 2 },
      ],
    ])
    expect(made.tail).toEqual([
      { x: monday + 1.5 * DAY, y: 2 },
      { x: monday + 2.5 * DAY, y: 3 },
    ])
  })

  test('has no tail when the last period has ended, and a lone one right after a gap', () => {
    expect(drawing(days(1, 2), { interval: 'day', now: monday + 9 * DAY, max: 100 }).tail).toEqual([])
    const lone = drawing(days(1, null, 5), { interval: 'day', now: monday + 2 * DAY + 1, max: 100 })
    expect(lone.tail).toEqual([{ x: monday + 2.5 * DAY, y: 5 }])
    expect(lone.segments).toHaveLength(1)
  })

  test('shares the points to draw among the runs', () => {
    const points = days(
      ...Array.from({ length: 1000 }, (_, index) => (index === 500 ? null : Math.sin(index))),
    )
    const made = drawing(points, { interval: 'day', now: monday + 2000 * DAY, max: 100 })
    expect(made.segments).toHaveLength(2)
    expect(made.segments.flat().length).toBeLessThanOrEqual(102)
  })

  test('draws wei as gwei', () => {
    expect(toDrawn(25_500_000_000n, 9)).toBe(25.5)
  })
})

describe('reading a point', () => {
  test('finds the period that holds a time, and nothing in a gap', () => {
    const points = [...days(1, 2), { timestamp: monday + 5 * DAY, value: 6 }]
    expect(indexAt(points, monday + DAY + 5, 'day')).toBe(1)
    expect(indexAt(points, monday + 3 * DAY, 'day')).toBe(-1)
    expect(indexAt(points, monday - 1, 'day')).toBe(-1)
    expect(indexAt(points, monday + 6 * DAY, 'day')).toBe(-1)
    expect(indexAt([], monday, 'day')).toBe(-1)
  })

  test('keeps what lies in a half-open range', () => {
    expect(within(days(1, 2, 3), monday, monday + 2 * DAY).map((point) => point.value)).toEqual([1, 2])
    expect(extent(days(4n, null, 2))).toEqual({ min: 2, max: 4 })
    expect(extent(days(null))).toBeNull()
  })
})

describe('change', () => {
  test('is exact past 2^53', () => {
    const before = 10n ** 20n
    expect(change(before, before + 1n)?.absolute).toBe(1n)
    expect(change(200, 250)).toEqual({ absolute: 50n, relative: 0.25 })
    expect(change(0.5, 0.25)).toEqual({ absolute: -0.25, relative: -0.5 })
  })

  test('has no share of nothing, and is unknown without both values', () => {
    expect(change(0, 5)).toEqual({ absolute: 5n, relative: null })
    expect(change(null, 5)).toBeNull()
    expect(change(5, undefined)).toBeNull()
  })

  test('compares with the period just before, not with the one before a gap', () => {
    expect(changeAt(days(2, 3), 1, 'day')?.relative).toBe(0.5)
    expect(changeAt([...days(2), { timestamp: monday + 2 * DAY, value: 3 }], 1, 'day')).toBeNull()
    expect(changeAt(days(2), 0, 'day')).toBeNull()
  })
})
