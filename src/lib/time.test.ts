import { expect, test } from 'vitest'
import { formatAge, formatDay, formatDuration, formatTime, isoTime } from './time.ts'

// `date -u -d @1762178706` says Mon Nov  3 14:05:06 UTC 2025.
const moment = 1762178706

test('absolute times are UTC unless the local zone is asked for', () => {
  expect(formatTime(moment, 'utc')).toBe('2025-11-03 14:05:06 UTC')
  expect(formatTime(moment, 'local')).toMatch(/^2025-11-0\d \d\d:\d5:06 [+-]\d\d:\d\d$/)
  expect(formatDay(moment, 'utc')).toBe('2025-11-03')
  expect(isoTime(moment)).toBe('2025-11-03T14:05:06Z')
})

test('a moment that no calendar has is shown as its digits', () => {
  expect(formatTime(1e15, 'utc')).toBe('1000000000000000')
  expect(isoTime(1e15)).toBe('1000000000000000')
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3599, '59 min'],
  [3600, '1 h'],
  [86_399, '23 h'],
  [86_400, '1 d'],
  [364 * 86_400, '364 d'],
  [366 * 86_400, '1 y'],
])('%i seconds are %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test('ages look back and ahead', () => {
  expect(formatAge(moment, moment + 3)).toBe('3 s ago')
  expect(formatAge(moment + 300, moment)).toBe('in 5 min')
  expect(formatAge(moment + 1, moment)).toBe('0 s ago')
})
