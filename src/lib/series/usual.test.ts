import { describe, expect, test } from 'vitest'
import type { SeriesPoint } from '../../../charts/series/series.ts'
import { againstUsual, lastDay, summed, usualWords, type Usual } from './usual.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Monday 23 November 2026, 00:00 UTC. */
const monday = Date.parse('2026-11-23T00:00:00Z') / 1000

/** `count` whole hours before `to`, each with `value`. */
const hoursBefore = (to: number, count: number, value: number): SeriesPoint[] =>
  Array.from({ length: count }, (_, index) => ({ timestamp: to - (count - index) * HOUR, value }))

/** Days before `to`, latest last; `valueOf` gets the number of days back, from 1. */
const daysBefore = (to: number, count: number, valueOf: (back: number) => number | null): SeriesPoint[] =>
  Array.from({ length: count }, (_, index) => ({
    timestamp: to - (count - index) * DAY,
    value: valueOf(count - index),
  }))

describe('the last 24 hours', () => {
  test('are the 24 whole hours before the hour that runs', () => {
    const now = monday + 14 * HOUR + 1200
    const to = monday + 14 * HOUR
    const points = [...hoursBefore(to, 30, 2), { timestamp: to, value: 1000 }]
    expect(lastDay(points, now)).toEqual({ to, count: 48 })
  })

  test('count nothing where a quiet chain has no hour, and are unknown with an unknown hour', () => {
    const to = monday
    expect(lastDay([{ timestamp: to - 20 * HOUR, value: 7 }], to + 5)?.count).toBe(7)
    expect(lastDay([{ timestamp: to - 40 * HOUR, value: 7 }], to + 5)?.count).toBe(0)
    expect(lastDay([], to + 5)).toBeNull()
    expect(lastDay([...hoursBefore(to, 3, 1), { timestamp: to - HOUR, value: null }], to)).toBeNull()
  })
})

describe('against the usual', () => {
  // The 24 hours to Monday 09:00 are mostly of Sunday.
  const now = monday + 9 * HOUR + 60
  const hours = hoursBefore(monday + 9 * HOUR, 24, 10)

  test('takes the mean of the weekday that holds the middle, before the 24 hours', () => {
    // Sundays are 1, 8, 15, … days back. The latest one reaches into the 24 hours.
    const days = daysBefore(monday, 36, (back) => (back % 7 === 1 ? (back === 1 ? 9000 : 100 + back) : 5000))
    const usual = againstUsual({ hours, days }, now)
    // 8, 15, 22, 29 and 36 days back: 108, 115, 122, 129, 136.
    expect(usual).toMatchObject({ count: 240, weekday: 'Sunday', weeks: 5, mean: 122 })
    expect(usual?.relative).toBeCloseTo(240 / 122 - 1, 12)
  })

  test('changes the weekday with the middle of the 24 hours', () => {
    const days = daysBefore(monday, 60, () => 1)
    const weekdayAt = (hour: number): string | undefined =>
      againstUsual({ hours: hoursBefore(monday + hour * HOUR, 24, 1), days }, monday + hour * HOUR)?.weekday
    expect(weekdayAt(0)).toBe('Sunday')
    expect(weekdayAt(12)).toBe('Sunday')
    expect(weekdayAt(13)).toBe('Monday')
    expect(weekdayAt(24)).toBe('Monday')
  })

  test('says nothing with fewer than four weeks, and uses at most twelve', () => {
    expect(againstUsual({ hours, days: daysBefore(monday, 28, () => 5) }, now)).toBeNull()
    expect(againstUsual({ hours, days: daysBefore(monday, 29, () => 5) }, now)?.weeks).toBe(4)
    expect(againstUsual({ hours, days: daysBefore(monday, 200, () => 5) }, now)?.weeks).toBe(12)
    const unknown = daysBefore(monday, 29, (back) => (back === 15 ? null : 5))
    expect(againstUsual({ hours, days: unknown }, now)).toBeNull()
  })
})

test('several chains are summed by time; an unknown value stays unknown', () => {
  expect(
    summed([
      [
        { timestamp: 1, value: 1 },
        { timestamp: 2, value: null },
      ],
      [
        { timestamp: 3, value: 4 },
        { timestamp: 1, value: 2n },
        { timestamp: 2, value: 9 },
      ],
    ]),
  ).toEqual([
    { timestamp: 1, value: 3 },
    { timestamp: 2, value: null },
    { timestamp: 3, value: 4 },
  ])
})

test('the words name the direction and the weekday', () => {
  const of = (relative: number | null, count = 5): string =>
    usualWords({ to: 0, count, weekday: 'Sunday', weeks: 6, mean: 1, relative } satisfies Usual)
  expect(of(0.18)).toBe('18 % above the mean Sunday')
  expect(of(-0.062)).toBe('6.2 % below the mean Sunday')
  expect(of(0)).toBe('as on the mean Sunday')
  expect(of(null)).toBe('the mean Sunday has none')
  expect(of(null, 0)).toBe('none, as on the mean Sunday')
})
