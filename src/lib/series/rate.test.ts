import { expect, test } from 'vitest'
import { rateText } from './rate.ts'

test.each([
  ['0', 'none'],
  ['1', 'every 1 d'],
  ['445', 'every 3 min'],
  [86_399, 'every 1 s'],
  [86_400, '1 per second'],
  ['1062720', '12.3 per second'],
])('%s in a day is %s', (count, words) => {
  expect(rateText(count)).toBe(words)
})
