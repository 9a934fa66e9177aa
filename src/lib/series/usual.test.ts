import { describe, expect, test } from 'vitest'
import type { SeriesPoint } from '../../../charts/series/series.ts'
import {
  againstUsual,
  lastDay,
  summed,
  togetherAgainstUsual,
  unusualText,
  usualFigure,
  usualWords,
  type Usual,
} from './usual.ts'

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
    const days = daysBefore(monday, 37, (back) => (back % 7 === 1 ? (back === 1 ? 9000 : 100 + back) : 5000))
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
    expect(againstUsual({ hours, days: daysBefore(monday, 29, () => 5) }, now)).toBeNull()
    expect(againstUsual({ hours, days: daysBefore(monday, 30, () => 5) }, now)?.weeks).toBe(4)
    expect(againstUsual({ hours, days: daysBefore(monday, 200, () => 5) }, now)?.weeks).toBe(12)
    const unknown = daysBefore(monday, 30, (back) => (back === 15 ? null : 5))
    expect(againstUsual({ hours, days: unknown }, now)).toBeNull()
  })
})

describe('several chains against the usual', () => {
  const now = monday + 9 * HOUR + 60
  const hours = (value: number): SeriesPoint[] => hoursBefore(monday + 9 * HOUR, 24, value)

  test('are compared over the weeks in which each existed, and a young one is left out on both sides', () => {
    const old = { hours: hours(10), days: daysBefore(monday, 90, () => 200) }
    const younger = { hours: hours(20), days: daysBefore(monday, 36, () => 400) }
    const young = { hours: hours(1000), days: daysBefore(monday, 20, () => 24_000) }
    expect(togetherAgainstUsual([old, younger, young], now)).toMatchObject({
      count: 720,
      mean: 600,
      weeks: 12,
    })
    expect(togetherAgainstUsual([old, younger], now)?.relative).toBeCloseTo(0.2, 12)
    // No chain was more than a fifth above its own usual, so all of them together are not either.
    expect(againstUsual(old, now)?.relative).toBeCloseTo(0.2, 12)
    expect(againstUsual(younger, now)?.relative).toBeCloseTo(0.2, 12)
    expect(togetherAgainstUsual([young], now)).toBeNull()
  })

  test('are unknown where the last hours of one are', () => {
    const known = { hours: hours(10), days: daysBefore(monday, 90, () => 200) }
    const gap = { ...known, hours: [...hours(1).slice(1), { timestamp: monday, value: null }] }
    expect(togetherAgainstUsual([known, gap], now)).toBeNull()
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
  expect(of(0.18)).toBe('18 % above a usual Sunday')
  expect(of(-0.062)).toBe('6.2 % below a usual Sunday')
  expect(of(0.99)).toBe('99 % above a usual Sunday')
  expect(of(1)).toBe('2× a usual Sunday')
  expect(of(11.62)).toBe('12.6× a usual Sunday')
  expect(of(1499.4)).toBe('1,500× a usual Sunday')
  expect(of(0)).toBe('like a usual Sunday')
  expect(of(null)).toBe('a usual Sunday has none')
  expect(of(null, 0)).toBe('none, like a usual Sunday')
  expect(usualFigure(11.62)).toBe('12.6×')
  expect(usualFigure(0.18)).toMatch(/^\+18/)
})

test('names the chains that are far from their usual, the farthest first, and no others', () => {
  const usual = (count: number, mean = 100): Usual => ({
    to: monday,
    count,
    weekday: 'Sunday',
    weeks: 12,
    mean,
    relative: mean === 0 ? null : count / mean - 1,
  })
  const chains = [
    { name: 'Calm', usual: usual(120) },
    { name: 'Busy', usual: usual(300) },
    { name: 'New', usual: null },
    { name: 'Quiet', usual: usual(25) },
    { name: 'Still', usual: usual(0) },
    { name: 'Never', usual: usual(5, 0) },
  ]
  expect(unusualText(chains)).toBe(
    'Unusual today: Still, 100 % below a usual Sunday; Quiet, 75 % below a usual Sunday; Busy, 3× a usual Sunday.',
  )
  expect(unusualText([...chains, { name: 'Half', usual: usual(160) }])).toContain(' and 1 more.')
  expect(unusualText(chains.slice(0, 1))).toBe('')
})
