import { describe, expect, test } from 'vitest'
import {
  growth,
  hourOfWeek,
  indexed,
  mean,
  peak,
  ratio,
  stacked,
  strongestTint,
  total,
} from './transforms.ts'
import type { SeriesPoint } from './series.ts'

const DAY = 86400
const monday = Date.parse('2025-11-03T00:00:00Z') / 1000

function days(...values: (number | bigint | null)[]): SeriesPoint[] {
  return values.map((value, index) => ({ timestamp: monday + index * DAY, value }))
}

function values(points: readonly SeriesPoint[]): (number | bigint | null)[] {
  return points.map((point) => point.value)
}

describe('growth', () => {
  test('is the difference to the period before, exact, and unknown after a gap', () => {
    const cumulative = [...days(10, 15, 15), { timestamp: monday + 4 * DAY, value: 40 }]
    expect(values(growth(cumulative, 'day'))).toEqual([5n, 0n, null])
    expect(values(growth(days(2n ** 60n, 2n ** 60n + 3n), 'day'))).toEqual([3n])
    expect(growth(days(1), 'day')).toEqual([])
  })
})

describe('ratio', () => {
  test('divides period by period and leaves a gap where the divisor is nothing', () => {
    expect(values(ratio(days(10, 9, 4), days(4, 0)))).toEqual([2.5, null, null])
    expect(values(ratio(days(1, 3), days(4, 4), { times: 100 }))).toEqual([25, 75])
  })

  test('keeps wei whole', () => {
    expect(values(ratio(days(10n ** 20n + 5n), days(10), { floor: true }))).toEqual([10n ** 19n])
  })
})

describe('comparison', () => {
  test('indexes to the mean, however small the first value is', () => {
    expect(values(indexed(days(2, 100, 198, null)))).toEqual([2, 100, 198, null])
    expect(values(indexed(days(1, 3)))).toEqual([50, 150])
    expect(values(indexed(days(0, 0)))).toEqual([null, null])
  })

  test('stacks exactly and keeps a gap that all share', () => {
    const [bottom, top] = stacked([days(1n, 2n, null), days(10n, null, null)])
    expect(values(bottom ?? [])).toEqual([1n, 2n, null])
    expect(values(top ?? [])).toEqual([11n, 2n, null])
  })

  test('stacks series that start at different times', () => {
    const [, top] = stacked([days(1, 1, 1), [{ timestamp: monday + 2 * DAY, value: 5 }]])
    expect(values(top ?? [])).toEqual([1n, 1n, 6n])
  })
})

describe('figures of a range', () => {
  test('sum exactly, and know nothing of nothing', () => {
    expect(total(days(2n ** 60n, 1, null))).toBe(2n ** 60n + 1n)
    expect(total(days(0.5, 0.25))).toBe(0.75)
    expect(total([])).toBeNull()
    expect(mean(days(1, null, 2))).toBe(1.5)
    expect(mean([])).toBeNull()
  })

  test('find the earliest highest point, comparing bigint with number', () => {
    expect(peak(days(1, 7n, 7))?.timestamp).toBe(monday + DAY)
    expect(peak(days(null))).toBeNull()
  })
})

describe('hourOfWeek', () => {
  test('puts Monday 0:00 first, averages whole hours and leaves the open one out', () => {
    const week = 7 * DAY
    const sunday23 = monday + week - 3600
    const points: SeriesPoint[] = [
      { timestamp: monday, value: 10 },
      { timestamp: monday + week, value: 20 },
      { timestamp: sunday23, value: 4n },
      { timestamp: monday + week + 3600, value: 999 },
    ]
    const cells = hourOfWeek(points, monday + week + 3600 + 1800)
    expect(cells).toHaveLength(168)
    expect(cells[0]).toEqual({ day: 0, hour: 0, mean: 15, count: 2 })
    expect(cells[1]).toEqual({ day: 0, hour: 1, mean: null, count: 0 })
    expect(cells[167]).toEqual({ day: 6, hour: 23, mean: 4, count: 1 })
  })
})

describe('strongestTint', () => {
  const cells = (...means: (number | null)[]) =>
    means.map((value, slot) => ({ day: 0, hour: slot, mean: value, count: 1 }))

  test('is the highest mean where none is far from the others', () => {
    expect(strongestTint(cells(1, 2, null, 3, 4, 5, 6, 7, 8))).toBe(8)
    expect(strongestTint(cells(5))).toBe(5)
    expect(strongestTint(cells(0, 0, 0))).toBe(0)
    expect(strongestTint(cells(null))).toBe(0)
  })

  test('leaves a single outlier out', () => {
    expect(strongestTint(cells(1, 2, 3, 4, 5, 6, 7, 900))).toBe(7)
  })
})
