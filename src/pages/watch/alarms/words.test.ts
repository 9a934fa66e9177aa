import { expect, test } from 'vitest'
import { alarmEnd, alarmsSentence, openStates, rangeAround } from './words.ts'

const summary = {
  timestamp: 1,
  mayWrite: true,
  isRunning: true,
  fleetCount: 1,
  memberCount: 3,
  ruleCount: 2,
  channelCount: 1,
  firing: { info: 0, warning: 0, critical: 0 },
  silencedCount: 0,
  pendingCount: 0,
  unknownCount: 0,
  waitingDeliveries: 0,
  deadDeliveries: 0,
  newest: [],
}

test('how things stand is told by severity, and unknown is not nothing', () => {
  expect(alarmsSentence(summary)).toBe('Nothing is firing.')
  expect(alarmsSentence({ ...summary, unknownCount: 3, pendingCount: 1 })).toBe(
    'Nothing is firing; 1 pending; 3 cannot be evaluated.',
  )
  expect(alarmsSentence({ ...summary, firing: { info: 1, warning: 2, critical: 1 }, silencedCount: 4 })).toBe(
    '4 alarms firing: 1 critical, 2 warnings, 1 info; 4 silenced.',
  )
  expect(alarmsSentence({ ...summary, ruleCount: 0 })).toBe('There are no rules yet, so no alarm can open.')
})

test('open states come worst first, silenced ones after the others, newest first among equals', () => {
  const state = (name: string, sinceTimestamp: number, isSilenced = false) => ({
    state: name,
    sinceTimestamp,
    isSilenced,
  })
  const given = [
    state('ok', 9),
    state('unknown', 8),
    state('firing', 1),
    state('firing', 7, true),
    state('firing', 2),
    state('pending', 6),
    state('resolved', 5),
  ]
  expect(openStates(given).map(({ sinceTimestamp }) => sinceTimestamp)).toEqual([2, 1, 7, 6, 8])
})

test('an alarm says how long it was open, and why it ended if not by itself', () => {
  expect(alarmEnd({ openedTimestamp: 100 })).toBe('open')
  expect(alarmEnd({ openedTimestamp: 100, resolvedTimestamp: 190, endReason: 'resolved' })).toBe('1 min 30 s')
  expect(alarmEnd({ openedTimestamp: 100, resolvedTimestamp: 100, endReason: 'event' })).toBe('event')
  expect(alarmEnd({ openedTimestamp: 100, resolvedTimestamp: 160, endReason: 'ruleDeleted' })).toBe(
    '1 min, its rule was deleted',
  )
})

test('a chart shows the alarm with room on both sides', () => {
  const hour = 3_600
  expect(rangeAround({ openedTimestamp: 100 * hour, resolvedTimestamp: 101 * hour }, 0)).toEqual({
    from: 94 * hour,
    to: 107 * hour,
  })
  expect(rangeAround({ openedTimestamp: 100 * hour }, 120 * hour)).toEqual({
    from: 80 * hour,
    to: 140 * hour,
  })
})
