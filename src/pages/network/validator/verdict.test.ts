import { expect, test } from 'vitest'
import type { Validator } from '../../../../contract/network/validators.ts'
import { verdictOf } from './verdict.ts'

const term = {
  txHash: 't',
  nodeId: 'NodeID-a',
  subnetId: 's',
  amountStaked: '1',
  startTimestamp: 1_700_000_000,
  endTimestamp: 1_710_000_000,
  validationStatus: 'active',
  uptimePerformance: 88.12,
  uptimeRequirement: 90,
} satisfies Partial<Validator> as Validator

const uptime = {
  sampledTimestamp: 1,
  isStale: false,
  uptimePerformance: 88.12,
  requirement: 90,
  highest: 89.4,
  lowest: 60,
  needed: 101,
  isReachable: false,
  spareSeconds: 0,
}
const outlook = {
  nodeId: 'NodeID-a',
  txHash: 't',
  timestamp: 1,
  validationStatus: 'active',
  startTimestamp: 1,
  endTimestamp: 2,
  renewsItself: false,
  sampleGaps: [],
  endingDelegations: [],
  reward: { potential: '955172035899', ifItStopsNow: '0', delegationFees: '0' },
}
const facts = { term, outlook: undefined, isConnected: true, zone: 'utc' } as const
const of = (patch: Partial<typeof uptime>, isConnected = true) =>
  verdictOf({ ...facts, isConnected, outlook: { ...outlook, uptime: { ...uptime, ...patch } } })

test('a reward that is lost is said with the uptime and what it needs', () => {
  expect(of({})).toEqual({
    state: 'failed',
    word: 'no reward',
    text: '88.12 % up: below the 90 % it needs, will get no reward: without further downtime it ends at 89.4 %.',
  })
})

test('a reward at risk, one on track and one that is safe differ in word and colour', () => {
  const reachable = { isReachable: true, highest: 96, needed: 95.5, spareSeconds: 90_000 }
  expect(of(reachable)).toMatchObject({ state: 'stale', word: 'reward at risk' })
  expect(of(reachable).text).toContain(
    'must be up 95.5 % of the time left; can be offline for another 1 d 1 h.',
  )
  const good = { ...reachable, uptimePerformance: 95, needed: 40 }
  expect(of(good)).toMatchObject({ state: 'ok', word: 'on track' })
  expect(of({ ...good, needed: 0 })).toMatchObject({ state: 'ok', word: 'reward safe' })
  expect(of({ ...good, needed: 0 }).text).toContain(
    'keeps its reward of 955.17 AVAX even if it goes offline now.',
  )
})

test('a node that is not connected now is never green', () => {
  for (const patch of [
    { isReachable: true, needed: 0 },
    { isReachable: true, needed: 40, uptimePerformance: 95 },
  ]) {
    expect(of(patch, false).state).toBe('stale')
    expect(of(patch, false).text).toContain('Not connected now.')
  }
})

test('without an outlook the uptime is compared with the requirement, if both are known', () => {
  expect(verdictOf(facts)).toMatchObject({
    state: 'stale',
    text: '88.12 % up: below the 90 % it needs for a reward.',
  })
  expect(verdictOf({ ...facts, term: { ...term, uptimePerformance: undefined } }).state).toBe('neutral')
})

test('a validation that has ended says what it was paid', () => {
  const completed = { ...term, validationStatus: 'completed' }
  const paid = (own: string) => ({
    validationRewardAmount: own,
    delegationRewardAmount: '0',
    rewardAddresses: [],
    rewardTxHash: '',
  })
  expect(verdictOf({ ...facts, term: { ...completed, rewards: paid('2500000000') } })).toEqual({
    state: 'ended',
    word: 'rewarded',
    text: 'Ended on 2024-03-09 and was paid 2.5 AVAX.',
  })
  expect(verdictOf({ ...facts, term: { ...completed, rewards: paid('0') } }).state).toBe('failed')
  expect(verdictOf({ ...facts, term: { ...term, validationStatus: 'pending' } }).text).toBe(
    'Starts on 2023-11-14.',
  )
})
