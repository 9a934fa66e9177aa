import { expect, test } from 'vitest'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { sortMembers } from './sort.ts'

const row = (memberId: string, more: Partial<WatchFleetRow> = {}): WatchFleetRow => ({
  memberId,
  kind: 'node',
  nodeId: memberId,
  uptimeByDay: [],
  connectedByDay: [],
  alarms: [],
  states: { pending: 0, firing: 0, unknown: 0 },
  ...more,
})
const alarm = (severity: string, isSilenced = false) => ({
  alarmId: '1',
  ruleId: '1',
  ruleName: 'rule',
  severity,
  openedTimestamp: 1,
  isSilenced,
})
const ids = (rows: readonly WatchFleetRow[]): string[] => rows.map(({ memberId }) => memberId)

test('what needs a person comes first', () => {
  const rows = [
    row('well', { isConnected: true }),
    row('pending', { states: { pending: 1, firing: 0, unknown: 0 } }),
    row('away', { isConnected: false }),
    row('under', { isConnected: true, uptimePerformance: 70, uptimeRequirement: 80, neededUptime: 85 }),
    row('lost', { isConnected: true, uptimePerformance: 40, uptimeRequirement: 80, neededUptime: 101 }),
    row('unknown', { states: { pending: 0, firing: 0, unknown: 1 } }),
    row('silenced', { alarms: [alarm('critical', true)] }),
    row('warning', { alarms: [alarm('info'), alarm('warning')] }),
    row('critical', { alarms: [alarm('critical')] }),
  ]
  expect(ids(sortMembers(rows, 'worst', 'desc'))).toEqual([
    'critical',
    'warning',
    'away',
    'silenced',
    'lost',
    'unknown',
    'under',
    'pending',
    'well',
  ])
})

test('amounts are compared exactly, and members without a value come last in both orders', () => {
  const rows = [
    row('none'),
    row('more', { amountStaked: '9007199254740993' }),
    row('less', { amountStaked: '9007199254740992' }),
  ]
  expect(ids(sortMembers(rows, 'stake', 'desc'))).toEqual(['more', 'less', 'none'])
  expect(ids(sortMembers(rows, 'stake', 'asc'))).toEqual(['less', 'more', 'none'])
})

test('names are sorted as they are read, ids after their own text', () => {
  const rows = [row('NodeID-b', { label: 'Gamma' }), row('NodeID-a', { label: 'alpha' }), row('NodeID-c')]
  expect(ids(sortMembers(rows, 'name', 'asc'))).toEqual(['NodeID-a', 'NodeID-b', 'NodeID-c'])
})
