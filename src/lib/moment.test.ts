import { expect, test } from 'vitest'
import { parseMoment, readMoment } from './moment.ts'

const at = (iso: string): number => Date.parse(iso) / 1000
const now = at('2026-11-23T09:30:00Z')

test.each([
  ['2025-11-03', '2025-11-03T00:00:00Z'],
  ['2025/11/3', '2025-11-03T00:00:00Z'],
  ['3.11.2025', '2025-11-03T00:00:00Z'],
  ['3 Nov 2025', '2025-11-03T00:00:00Z'],
  ['03-Nov-2025', '2025-11-03T00:00:00Z'],
  ['Mon, 3 Nov 2025', '2025-11-03T00:00:00Z'],
  ['November 3rd, 2025', '2025-11-03T00:00:00Z'],
  ['Sept 3 2025', '2025-09-03T00:00:00Z'],
  ['15 Oct 2026', '2026-10-15T00:00:00Z'],
  ['15/10/2026', '2026-10-15T00:00:00Z'],
  ['10/15/2026', '2026-10-15T00:00:00Z'],
  ['5/5/2026', '2026-05-05T00:00:00Z'],
  // Without a year: the latest such day.
  ['15 oct', '2026-10-15T00:00:00Z'],
  ['24 Nov', '2025-11-24T00:00:00Z'],
  ['23 Nov', '2026-11-23T00:00:00Z'],
  ['today', '2026-11-23T00:00:00Z'],
  ['Yesterday', '2026-11-22T00:00:00Z'],
])('%s is the whole day from %s', (text, iso) => {
  expect(readMoment(text, 'utc', now)).toEqual({ at: at(iso), wholeDay: true })
})

test.each([
  ['2025-11-03T14:05:06Z', '2025-11-03T14:05:06Z'],
  ['2025-11-03 14:05:06.123 UTC', '2025-11-03T14:05:06Z'],
  ['2025-11-03T14:05+02:00', '2025-11-03T12:05:00Z'],
  ['2025-11-03 14:05 -0530', '2025-11-03T19:35:00Z'],
  [' 3 Nov 2025,  14:05 ', '2025-11-03T14:05:00Z'],
  ['Nov 3, 2025 at 2:05 pm', '2025-11-03T14:05:00Z'],
  ['3 Nov 2025 12:05 am', '2025-11-03T00:05:00Z'],
  ['yesterday 14:00', '2026-11-22T14:00:00Z'],
  ['14:00', '2026-11-23T14:00:00Z'],
  ['now', '2026-11-23T09:30:00Z'],
  ['90 min ago', '2026-11-23T08:00:00Z'],
  ['2 hours ago', '2026-11-23T07:30:00Z'],
  ['3 d ago', '2026-11-20T09:30:00Z'],
  ['1 week ago', '2026-11-16T09:30:00Z'],
  ['1762178706', '2025-11-03T14:05:06Z'],
  ['1762178706123', '2025-11-03T14:05:06Z'],
])('%s is the moment %s', (text, iso) => {
  expect(readMoment(text, 'utc', now)).toEqual({ at: at(iso), wholeDay: false })
})

test.each([
  '',
  '12',
  '2025-02-30',
  '2025-13-01',
  '0099-01-01',
  '31 Apr 2026',
  // Day and month can't be told apart.
  '03/04/2026',
  '2025-11-03 24:00',
  '2025-11-03 13:00 pm',
  '2025-11-03 14:60',
  '3 Foo 2025',
  '3 Novem 25',
  'someday',
  '3 months ago',
  '999999 w ago',
])('%s is refused', (text) => {
  expect(readMoment(text, 'utc', now)).toBeUndefined()
})

test('without an offset, a time is of the zone of the settings', () => {
  expect(parseMoment('2025-11-03 00:00', 'local')).toBe(new Date(2025, 10, 3).getTime() / 1000)
  expect(parseMoment('2025-11-03 00:00Z', 'local')).toBe(at('2025-11-03T00:00:00Z'))
})
