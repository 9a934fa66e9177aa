import { expect, test } from 'vitest'
import { outlookSentence, proposalPlaces, proposalsSentence } from './words.ts'

const uptime = {
  sampledTimestamp: 1,
  isStale: false,
  uptimePerformance: 95,
  requirement: 80,
  highest: 97,
  lowest: 60,
  needed: 55.25,
  isReachable: true,
  spareSeconds: 90_000,
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
  reward: { potential: '1200000000', ifItStopsNow: '0', delegationFees: '0' },
}

test('what is needed from here is told in percent and in time', () => {
  expect(outlookSentence({ ...outlook, uptime })).toBe(
    'It needs 55.25 % from here to reach 80 %; it can be offline for another 1 d 1 h.',
  )
  expect(
    outlookSentence({
      ...outlook,
      uptime: { ...uptime, uptimePerformance: 79, needed: 99.2, isStale: true },
    }),
  ).toBe(
    'It is below its requirement: it needs 99.2 % from here to reach 80 %; it can be offline for another 1 d 1 h. This is by an old sample.',
  )
})

test('a reward that is safe, one that is lost, and one that cannot be judged', () => {
  expect(outlookSentence({ ...outlook, uptime: { ...uptime, needed: 0 } })).toBe(
    'It has 80 %, and its reward of 1.2 AVAX, safe: even if it stops now, enough of its time is up.',
  )
  expect(
    outlookSentence({
      ...outlook,
      renewsItself: true,
      uptime: { ...uptime, needed: 130, isReachable: false, spareSeconds: 0, highest: 71.5 },
    }),
  ).toBe(
    'It can no longer reach 80 %: without further downtime it ends at 71.5 %, and earns nothing. The next period begins anew.',
  )
  expect(outlookSentence(outlook)).toContain('is unknown')
})

test('proposals are compared with the band of chance', () => {
  const of = (proposedCount: number) => ({
    fromTimestamp: 1,
    toTimestamp: 2,
    blockCount: 1_000,
    expectedCount: 10.4,
    low: 5,
    high: 17,
    proposedCount,
  })
  expect(proposalsSentence(of(10))).toContain('as many as its stake predicts')
  expect(proposalsSentence(of(5))).toContain('as many as')
  expect(proposalsSentence(of(4))).toContain('it missed turns')
  expect(proposalsSentence(of(18))).toContain('more than its present stake explains')
  const places = proposalPlaces(of(4))
  expect(places.low).toBeGreaterThan(places.proposed)
  expect(places.high).toBeCloseTo(100 / 1.15)
  expect(proposalPlaces({ ...of(0), expectedCount: 0, low: 0, high: 0 })).toEqual({
    low: 0,
    high: 0,
    expected: 0,
    proposed: 0,
  })
})
