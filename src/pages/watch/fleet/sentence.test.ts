import { expect, test } from 'vitest'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { fleetSentence } from './sentence.ts'

const row: WatchFleetRow = {
  memberId: 'NodeID-a',
  kind: 'node',
  nodeId: 'NodeID-a',
  uptimePerformance: 99,
  uptimeRequirement: 80,
  neededUptime: 70,
  uptimeByDay: [],
  connectedByDay: [],
  alarms: [],
  states: { pending: 0, firing: 0, unknown: 0 },
}

const sums = {
  memberCount: 0,
  activeCount: 0,
  connectedCount: 0,
  disconnectedCount: 0,
  unknownCount: 0,
  amountStaked: '0',
  amountDelegated: '0',
  delegatorCount: 0,
  potentialReward: '0',
  earnedReward: '0',
  remainingBalance: '0',
}

const page = (members: WatchFleetRow[], more: Partial<typeof sums>, isStale = false) => ({
  members,
  isStale,
  sums: { ...sums, memberCount: members.length, ...more },
})

test('a fleet where all is well', () => {
  const members = Array.from({ length: 12 }, () => row)
  expect(fleetSentence(page(members, { connectedCount: 12, amountDelegated: '3400000000000' }))).toBe(
    '12 validators, all connected; 3,400 AVAX delegated.',
  )
})

test('who is away, unknown, under the requirement and beyond rescue', () => {
  const under = { ...row, uptimePerformance: 79.9, neededUptime: 80.4 }
  const lost = { ...row, uptimePerformance: 40, neededUptime: 120 }
  expect(
    fleetSentence(page([row, under, lost], { connectedCount: 1, disconnectedCount: 1, unknownCount: 1 })),
  ).toBe(
    '3 validators, 1 not connected, 1 unknown; 1 under its uptime requirement; 1 can no longer reach its reward.',
  )
})

test('an old sample says unknown, never connected', () => {
  expect(fleetSentence(page([row], { connectedCount: 1 }, true))).toBe(
    '1 validator, its connection is unknown.',
  )
  expect(fleetSentence(page([row, row], { connectedCount: 2 }, true))).toBe(
    '2 validators, their connections are unknown.',
  )
})

test('L1 validators are counted apart, silenced alarms are not news, and an empty fleet says so', () => {
  const alarm = { alarmId: '1', ruleId: '1', ruleName: 'r', severity: 'info', openedTimestamp: 1 }
  const l1 = { ...row, kind: 'l1Validator', alarms: [{ ...alarm, isSilenced: false }] }
  const silent = { ...row, alarms: [{ ...alarm, isSilenced: true }] }
  expect(fleetSentence(page([silent, l1], { connectedCount: 2 }))).toBe(
    '1 validator and 1 L1 validator, all connected; alarms at 1.',
  )
  expect(fleetSentence(page([], {}))).toBe('This fleet has no members yet.')
})
