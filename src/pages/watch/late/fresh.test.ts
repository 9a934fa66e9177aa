import { expect, test } from 'vitest'
import { freshAlarms, seenAfter } from './fresh.ts'

const alarm = (alarmId: string, openedTimestamp: number) => ({
  alarmId,
  title: alarmId,
  text: '',
  severity: 'critical',
  openedTimestamp,
})

test('alarms are news once, oldest first, and never those from before the page was opened', () => {
  const start = { ids: new Set<string>(), since: 100 }
  const first = [alarm('c', 102), alarm('b', 101), alarm('a', 99)]
  expect(freshAlarms(first, start).map(({ alarmId }) => alarmId)).toEqual(['b', 'c'])
  const seen = seenAfter(first, start)
  expect(freshAlarms(first, seen)).toEqual([])
  // An alarm that resolves meanwhile stays in the list and is not news again.
  expect(freshAlarms([alarm('d', 101), ...first], seen).map(({ alarmId }) => alarmId)).toEqual(['d'])
})
