import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periodEnd, periodStart, timeIntervals } from './intervals.ts'

/** Unix seconds of an ISO time, by the platform's own parser. */
function at(iso: string): number {
  return Date.parse(iso) / 1000
}

describe('periods', () => {
  test('start a week on Monday 0:00 UTC, across a year', () => {
    expect(periodStart(at('2026-01-01T12:00:00Z'), 'week')).toBe(at('2025-12-29T00:00:00Z'))
    expect(periodStart(at('2025-11-09T23:59:59Z'), 'week')).toBe(at('2025-11-03T00:00:00Z'))
    expect(periodStart(at('2025-11-10T00:00:00Z'), 'week')).toBe(at('2025-11-10T00:00:00Z'))
  })

  test('follow the calendar in months, leap years too', () => {
    expect(periodEnd(at('2024-02-10T00:00:00Z'), 'month')).toBe(at('2024-03-01T00:00:00Z'))
    expect(periodEnd(at('2025-02-28T23:59:59Z'), 'month')).toBe(at('2025-03-01T00:00:00Z'))
    expect(periodEnd(at('2025-12-31T23:00:00Z'), 'month')).toBe(at('2026-01-01T00:00:00Z'))
  })

  test('cover time without overlap: each time lies in the period that starts at or before it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_102_444_800 }),
        fc.constantFrom(...timeIntervals),
        (time, interval) => {
          const start = periodStart(time, interval)
          const end = periodEnd(time, interval)
          expect(start).toBeLessThanOrEqual(time)
          expect(end).toBeGreaterThan(time)
          expect(periodStart(start, interval)).toBe(start)
          expect(periodStart(end, interval)).toBe(end)
          const date = new Date(start * 1000)
          if (interval === 'week') expect(date.getUTCDay()).toBe(1)
          if (interval === 'month') expect(date.getUTCDate()).toBe(1)
          if (interval !== 'hour') expect(date.getUTCHours()).toBe(0)
        },
      ),
    )
  })
})
