import { expect, test } from 'vitest'
import { isQuiet, nextMessage, quietEnd } from './notify.ts'

const at = (iso: string): number => Date.parse(iso) / 1000
const night = { from: '22:00', to: '07:00', timeZone: 'Europe/Zurich' }

test.each([
  // Zurich is UTC+1 in winter and UTC+2 in summer.
  ['2026-11-24T20:59:00Z', false],
  ['2026-11-24T21:00:00Z', true],
  ['2026-11-25T05:59:00Z', true],
  ['2026-11-25T06:00:00Z', false],
  ['2026-07-01T20:00:00Z', true],
  ['2026-07-01T05:00:00Z', false],
])('quiet hours over midnight at %s', (iso, expected) => {
  expect(isQuiet(night, at(iso))).toBe(expected)
})

test('the days of quiet hours are those on which they begin', () => {
  const friday = { ...night, timeZone: 'UTC', days: [5] }
  expect(isQuiet(friday, at('2026-11-27T23:00:00Z'))).toBe(true)
  expect(isQuiet(friday, at('2026-11-28T06:59:00Z'))).toBe(true)
  expect(isQuiet(friday, at('2026-11-28T23:00:00Z'))).toBe(false)
  expect(isQuiet(friday, at('2026-11-27T06:00:00Z'))).toBe(false)
  expect(quietEnd(friday, at('2026-11-27T23:30:20Z'))).toBe(at('2026-11-28T07:00:00Z'))
  expect(quietEnd(friday, at('2026-11-28T12:00:20Z'))).toBe(at('2026-11-28T12:00:20Z'))
})

const rule = { repeatSeconds: 600, quiet: null }

test('an alarm is sent at once, and repeated after the interval', () => {
  expect(nextMessage({ lastTs: undefined, count: 0 }, rule, false, 1_000)).toBe('firing')
  expect(nextMessage({ lastTs: 1_000, count: 1 }, rule, false, 1_599)).toBeUndefined()
  expect(nextMessage({ lastTs: 1_000, count: 1 }, rule, false, 1_600)).toBe('repeat')
  expect(nextMessage({ lastTs: 1_000, count: 1 }, { ...rule, repeatSeconds: 0 }, false, 1e9)).toBeUndefined()
})

test('a silence and quiet hours hold a message back until they end', () => {
  expect(nextMessage({ lastTs: undefined, count: 0 }, rule, true, 1_000)).toBeUndefined()
  const quiet = { ...rule, quiet: night }
  expect(
    nextMessage({ lastTs: undefined, count: 0 }, quiet, false, at('2026-11-25T05:59:59Z')),
  ).toBeUndefined()
  expect(nextMessage({ lastTs: undefined, count: 0 }, quiet, false, at('2026-11-25T06:00:00Z'))).toBe(
    'firing',
  )
})

test('a clock that was set back starts the interval again', () => {
  expect(nextMessage({ lastTs: 10_000, count: 3 }, rule, false, 5_000)).toBe('restart')
})
