import { describe, expect, test } from 'vitest'
import { dayStart, hourStart, monthStart, weekStart } from './periods.ts'

const at = (text: string): number => Date.parse(text) / 1000

describe('periods', () => {
  test.each([
    [
      '2024-02-29T23:59:59Z',
      '2024-02-29T23:00:00Z',
      '2024-02-29T00:00:00Z',
      '2024-02-26T00:00:00Z',
      '2024-02-01T00:00:00Z',
    ],
    [
      '2024-03-04T00:00:00Z',
      '2024-03-04T00:00:00Z',
      '2024-03-04T00:00:00Z',
      '2024-03-04T00:00:00Z',
      '2024-03-01T00:00:00Z',
    ],
    [
      '2027-01-03T12:30:01Z',
      '2027-01-03T12:00:00Z',
      '2027-01-03T00:00:00Z',
      '2026-12-28T00:00:00Z',
      '2027-01-01T00:00:00Z',
    ],
    [
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '1970-01-01T00:00:00Z',
      '1969-12-29T00:00:00Z',
      '1970-01-01T00:00:00Z',
    ],
  ])('of %s', (time, hour, day, week, month) => {
    const ts = at(time)
    expect([hourStart(ts), dayStart(ts), weekStart(ts), monthStart(ts)]).toEqual(
      [hour, day, week, month].map(at),
    )
  })
})
