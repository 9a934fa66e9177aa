import { describe, expect, test } from 'vitest'
import { isUnfinished, periodLabel, periodMiddle, rangeLabel } from './periods.ts'

/** Unix seconds of an ISO time, by the platform's own parser. */
function at(iso: string): number {
  return Date.parse(iso) / 1000
}

describe('periods', () => {
  test('have their mark in the middle', () => {
    expect(periodMiddle(at('2025-11-03T10:20:00Z'), 'hour')).toBe(at('2025-11-03T10:30:00Z'))
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
