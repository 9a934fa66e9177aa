import { expect, test } from 'vitest'
import { byChange } from './by-change.ts'

const day = 86_400
const now = 10 * day + 3_600

/** Points of consecutive days up to today, which has not ended. */
const ending = (...values: (number | null)[]) =>
  values.map((value, index) => ({ timestamp: (11 - values.length + index) * day, value }))

test('series are ordered by the change of their last whole day, up or down', () => {
  const series = [
    { info: 'level', points: ending(5, 5, 500) },
    { info: 'up by half', points: ending(10, 15, 1) },
    { info: 'no day before', points: ending(7) },
    { info: 'down to a tenth', points: ending(100, 10, 10) },
    { info: 'from nothing', points: ending(0, 3, 3) },
    { info: 'a gap before', points: ending(1, null, 9, 9) },
  ]
  expect(byChange(series, now)).toEqual([
    'down to a tenth',
    'up by half',
    'level',
    'no day before',
    'from nothing',
    'a gap before',
  ])
})
