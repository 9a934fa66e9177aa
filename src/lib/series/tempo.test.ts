import { expect, test } from 'vitest'
import { tempoText } from './tempo.ts'

test.each([
  ['0', 'none'],
  ['1', 'one every 1 d'],
  ['445', 'one every 3 min'],
  [86_399, 'one every 1 s'],
  [86_400, '1 a second'],
  ['1062720', '12.3 a second'],
])('%s in a day is %s', (count, words) => {
  expect(tempoText(count)).toBe(words)
})
