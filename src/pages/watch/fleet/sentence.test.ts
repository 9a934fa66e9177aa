import { expect, test } from 'vitest'
import type { WatchFleetRow } from '../../../../contract/watch/fleets.ts'
import { fleetVerdict } from './sentence.ts'
import { fleetRow as row } from './testing/fleet-row.ts'

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
  expect(fleetVerdict(page(members, { connectedCount: 12 }))).toEqual({
    state: 'ok',
    word: 'healthy',
    text: '12 validators, all connected.',
  })
})

test('who is away, unknown, under the requirement and beyond rescue', () => {
  const under = { ...row, uptimePerformance: 79.9, neededUptime: 80.4 }
  const lost = { ...row, uptimePerformance: 40, neededUptime: 120 }
  const away = { connectedCount: 1, disconnectedCount: 1, unknownCount: 1 }
  expect(fleetVerdict(page([row, under, lost], away))).toEqual({
    state: 'failed',
    word: 'reward lost',
    text: '3 validators, 1 not connected, 1 unknown; 1 can no longer reach its reward; 1 under its uptime requirement.',
  })
  expect(fleetVerdict(page([row, under], { connectedCount: 1, disconnectedCount: 1 }))).toMatchObject({
    state: 'lost',
    word: 'not connected',
  })
  expect(fleetVerdict(page([row, under], { connectedCount: 2 }))).toMatchObject({
    state: 'late',
    word: 'uptime too low',
  })
  expect(fleetVerdict(page([row, row], { connectedCount: 1, unknownCount: 1 }))).toMatchObject({
    state: 'stale',
    word: 'unknown',
  })
})

test('an old sample says unknown, never connected', () => {
  expect(fleetVerdict(page([row], { connectedCount: 1 }, true))).toEqual({
    state: 'stale',
    word: 'unknown',
    text: '1 validator, its connection is unknown.',
  })
  expect(fleetVerdict(page([row, row], { connectedCount: 2 }, true)).text).toBe(
    '2 validators, their connections are unknown.',
  )
})

test('L1 validators are counted apart, silenced alarms are not news, and an empty fleet says so', () => {
  const alarm = { alarmId: '1', ruleId: '1', ruleName: 'r', severity: 'info', openedTimestamp: 1 }
  const l1 = { ...row, kind: 'l1Validator', alarms: [{ ...alarm, isSilenced: false }] }
  const silent = { ...row, alarms: [{ ...alarm, isSilenced: true }] }
  expect(fleetVerdict(page([silent, l1], { connectedCount: 2 }))).toEqual({
    state: 'failed',
    word: 'firing',
    text: '1 validator and 1 L1 validator, all connected; 1 with an alarm.',
  })
  const short = { ...row, kind: 'l1Validator', secondsRemaining: 3_600 }
  expect(fleetVerdict(page([row, short], { connectedCount: 2 }))).toEqual({
    state: 'late',
    word: 'runs out soon',
    text: '1 validator and 1 L1 validator, all connected; the balance of 1 runs out within a week.',
  })
  expect(fleetVerdict(page([silent], { connectedCount: 1 })).state).toBe('ok')
  expect(fleetVerdict(page([], {})).text).toBe('This fleet has no members yet.')
})
