import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timeTicks, valueScale } from './ticks.ts'

function at(iso: string): number {
  return Date.parse(iso) / 1000
}

describe('timeTicks', () => {
  test('marks days by date and hours by the clock, midnight by its day', () => {
    const day = timeTicks(at('2025-11-03T00:00:00Z'), at('2025-11-04T00:00:00Z'), 6)
    expect(day.map((tick) => tick.label)).toEqual(['Mon 3 Nov', '06:00', '12:00', '18:00', 'Tue 4 Nov'])
    const weeks = timeTicks(at('2025-10-28T00:00:00Z'), at('2025-12-02T00:00:00Z'), 6)
    expect(weeks.map((tick) => tick.label)).toEqual(['3 Nov', '10 Nov', '17 Nov', '24 Nov', '1 Dec'])
  })

  test('marks firsts of a month and the year in January', () => {
    const ticks = timeTicks(at('2025-10-15T00:00:00Z'), at('2026-03-15T00:00:00Z'), 6)
    expect(ticks.map((tick) => tick.label)).toEqual(['Nov', 'Dec', '2026', 'Feb', 'Mar'])
    expect(ticks.map((tick) => tick.time)).toContain(at('2026-01-01T00:00:00Z'))
  })

  test('never gives more marks than asked, all inside and ascending', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_000_000_000 }),
        fc.integer({ min: 3600, max: 700_000_000 }),
        fc.integer({ min: 2, max: 14 }),
        (from, span, max) => {
          const ticks = timeTicks(from, from + span, max)
          expect(ticks.length).toBeLessThanOrEqual(max)
          for (const [index, tick] of ticks.entries()) {
            expect(tick.time).toBeGreaterThanOrEqual(from)
            expect(tick.time).toBeLessThanOrEqual(from + span)
            expect(tick.time).toBeGreaterThan(ticks[index - 1]?.time ?? -1)
          }
        },
      ),
    )
  })

  test('gives nothing for an empty range', () => {
    expect(timeTicks(10, 10, 5)).toEqual([])
  })
})

describe('valueScale', () => {
  test('starts sums at zero and fits levels', () => {
    expect(valueScale(90, 104, 4, true).ticks).toEqual([0, 25, 50, 75, 100, 125])
    const fitted = valueScale(90, 104, 4, false)
    expect(fitted.ticks).toEqual([90, 95, 100, 105])
  })

  test('ends a percentage at 100, also where it is flat near its end', () => {
    for (const [min, max, zero] of [
      [99.9934, 99.9934, false],
      [100, 100, false],
      [97.2, 99.99, false],
      [0, 93, true],
      [99.5, 100, true],
    ] as const) {
      const { ticks } = valueScale(min, max, 4, zero, { ceiling: 100 })
      expect(ticks.at(-1)).toBeLessThanOrEqual(100)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
    }
    // What is above all the same is drawn.
    expect(valueScale(90, 140, 4, true, { ceiling: 100 }).max).toBeGreaterThanOrEqual(140)
  })

  test('gives a flat series room without going below zero', () => {
    expect(valueScale(0, 0, 4, false).min).toBe(0)
    const flat = valueScale(25, 25, 4, false)
    expect(flat.min).toBeLessThan(25)
    expect(flat.max).toBeGreaterThan(25)
  })

  test('treats values that hardly differ as flat instead of drawing marks for ever', () => {
    expect(valueScale(1e15, 1e15 + 0.5, 5, false).ticks.length).toBeLessThan(10)
  })

  test('has whole marks for counts', () => {
    expect(valueScale(0, 1, 4, true, { whole: true }).ticks).toEqual([0, 1])
    expect(valueScale(3, 4, 4, false, { whole: true }).ticks).toEqual([3, 4])
    expect(valueScale(0, 9, 4, true, { whole: true }).ticks).toEqual([0, 2, 4, 6, 8, 10])
    expect(valueScale(0, 90, 4, true, { whole: true }).ticks).toEqual([0, 25, 50, 75, 100])
  })

  test('starts above 0 when it is fitted and no value is 0', () => {
    const fitted = valueScale(5, 100, 4, false)
    expect(fitted.min).toBeGreaterThan(0)
    expect(fitted.min).toBeLessThan(5)
    expect(fitted.ticks).toEqual([25, 50, 75, 100])
    expect(valueScale(0, 100, 4, false).min).toBe(0)
  })

  test('covers the values with even, distinct marks', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1e12, max: 1e12, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e12, noNaN: true }),
        fc.boolean(),
        (min, span, zero) => {
          const max = min + span
          const scale = valueScale(min, max, 5, zero)
          const slack = scale.step * 1e-6
          expect(scale.min).toBeLessThanOrEqual(min + slack)
          expect(scale.max).toBeGreaterThanOrEqual(max - slack)
          if (zero) expect(scale.min <= 0 && scale.max >= 0).toBe(true)
          expect(scale.ticks.length).toBeLessThanOrEqual(10)
          expect(new Set(scale.ticks).size).toBe(scale.ticks.length)
        },
      ),
    )
  })

  test('has no binary dust in its marks', () => {
    expect(valueScale(0, 0.5, 5, true).ticks).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5])
  })
})
