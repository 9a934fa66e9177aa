import { expect, test } from 'vitest'
import { notKeptWords } from './not-kept.tsx'

test('says what is not kept, and nothing if all is', () => {
  expect(notKeptWords({})).toBe('')
  expect(notKeptWords({ tracesFrom: '1200' })).toBe(
    'Internal calls before block 1,200 are not kept here (keepTraces).',
  )
  expect(notKeptWords({ logsFrom: '7', tracesFrom: '9' })).toBe(
    'Logs before block 7, and the transfers in them, are not kept here (keepLogs). Internal calls before block 9 are not kept here (keepTraces).',
  )
})
