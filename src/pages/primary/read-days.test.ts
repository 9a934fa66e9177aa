import { expect, test } from 'vitest'
import { readDays } from './read-days.ts'

const at = (iso: string): number => Date.parse(iso) / 1000

test.each([
  ['15 Oct 2026', '2026-10-16', { after: at('2026-10-14T23:59:59Z'), before: at('2026-10-17T00:00:00Z') }],
  ['15 Oct 2026', '15.10.2026', { after: at('2026-10-14T23:59:59Z'), before: at('2026-10-16T00:00:00Z') }],
  ['', '2026-10-16 14:00', { before: at('2026-10-16T14:00:01Z') }],
  [' Oct 15, 2026 ', '', { after: at('2026-10-14T23:59:59Z') }],
])('from “%s” to “%s”', (from, to, range) => {
  expect(readDays({ from, to }, 'utc')).toEqual(range)
})

test('says what is wrong', () => {
  expect(readDays({ from: 'soon', to: '' }, 'utc')).toMatch(/^Give days such as 2025-11-03/)
  expect(readDays({ from: '', to: '03/04/2026' }, 'utc')).toMatch(/^Give days such as/)
  expect(readDays({ from: '2026-10-17', to: '16 Oct 2026' }, 'utc')).toBe(
    'The first day comes after the last one.',
  )
})
