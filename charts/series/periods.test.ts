import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  intervals,
  isUnfinished,
  periodEnd,
  periodLabel,
  periodMiddle,
  periodStart,
  rangeLabel,
} from './periods.ts'

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
    expect(periodMiddle(at('2025-11-03T10:20:00Z'), 'hour')).toBe(at('2025-11-03T10:30:00Z'))
  })

  test('cover time without overlap: each time lies in the period that starts at or before it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_102_444_800 }),
        fc.constantFrom(...intervals),
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

  test('are unfinished until their last second has passed', () => {
    const monday = at('2025-11-03T00:00:00Z')
    expect(isUnfinished(monday, 'day', at('2025-11-03T23:59:59Z'))).toBe(true)
    expect(isUnfinished(monday, 'day', at('2025-11-04T00:00:00Z'))).toBe(false)
  })
})

describe('periodLabel', () => {
  test('names the period it covers', () => {
    const monday = at('2025-11-03T00:00:00Z')
    expect(periodLabel(monday, 'week')).toBe('Mon 3 Nov 2025, whole week UTC')
    expect(periodLabel(monday, 'day')).toBe('Mon 3 Nov 2025, whole day UTC')
    expect(periodLabel(at('2025-11-01T00:00:00Z'), 'month')).toBe('Nov 2025, whole month UTC')
    expect(periodLabel(at('2025-11-03T23:00:00Z'), 'hour')).toBe('Mon 3 Nov 2025, 23:00–00:00 UTC')
  })

  test('marks an unfinished period', () => {
    const monday = at('2025-11-03T00:00:00Z')
    expect(periodLabel(monday, 'week', at('2025-11-05T12:00:00Z'))).toBe('Mon 3 Nov 2025, week so far, UTC')
    expect(periodLabel(monday, 'week', at('2025-11-10T00:00:00Z'))).toBe('Mon 3 Nov 2025, whole week UTC')
    expect(periodLabel(monday, 'hour', monday + 60)).toBe('Mon 3 Nov 2025, 00:00–01:00 so far, UTC')
    expect(periodLabel(at('2025-11-01T00:00:00Z'), 'month', monday)).toBe('Nov 2025, month so far, UTC')
    expect(periodLabel(monday, 'day', monday - 1)).toBe('Mon 3 Nov 2025, day to come, UTC')
  })
})

describe('rangeLabel', () => {
  test('shows whole days by first and last day, short ranges with clock times', () => {
    expect(rangeLabel(at('2025-11-03T00:00:00Z'), at('2025-11-21T00:00:00Z'))).toBe(
      '3 Nov 2025 – 20 Nov 2025 UTC',
    )
    expect(rangeLabel(at('2025-11-03T06:00:00Z'), at('2025-11-03T18:00:00Z'))).toBe(
      '3 Nov 2025 06:00 – 18:00 UTC',
    )
    expect(rangeLabel(at('2025-11-03T18:00:00Z'), at('2025-11-04T06:00:00Z'))).toBe(
      '3 Nov 2025 18:00 – 4 Nov 2025 06:00 UTC',
    )
  })
})
