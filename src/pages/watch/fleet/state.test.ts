import { expect, test } from 'vitest'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { stateOf } from './state.ts'
import { fleetRow } from './testing/fleet-row.ts'

const row: WatchFleetRow = { ...fleetRow, isConnected: true }
const alarm = { alarmId: '1', ruleId: '1', ruleName: 'Away', severity: 'info', openedTimestamp: 1 }

test('a member has the worst state that is true of it', () => {
  const textOf = (more: Partial<WatchFleetRow>): string => stateOf({ ...row, ...more }).text
  expect(textOf({})).toBe('connected')
  expect(textOf({ uptimePerformance: 79 })).toBe('uptime too low')
  expect(textOf({ uptimePerformance: 79, isConnected: false })).toBe('not connected')
  expect(textOf({ kind: 'l1Validator', secondsRemaining: 86_400 })).toBe('runs out soon')
  expect(textOf({ kind: 'l1Validator', secondsRemaining: 8 * 86_400 })).toBe('connected')
  expect(textOf({ isConnected: undefined })).toBe('unknown')
  expect(textOf({ uptimePerformance: 40, neededUptime: 101 })).toBe('reward lost')
  expect(textOf({ uptimePerformance: 40, neededUptime: 101, isConnected: false })).toBe('not connected')
  expect(textOf({ isConnected: false, alarms: [{ ...alarm, isSilenced: true }] })).toBe('1 silenced')
  expect(stateOf({ ...row, alarms: [{ ...alarm, isSilenced: false }] })).toEqual({
    state: 'failed',
    text: '1 firing',
    title: 'Away (info)',
  })
})
