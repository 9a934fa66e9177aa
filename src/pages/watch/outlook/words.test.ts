import { expect, test } from 'vitest'
import { gapsOf, proposalPlaces, proposalsSentence } from './words.ts'

test('the time before the first sample is not a gap', () => {
  const gap = (fromTimestamp: number, toTimestamp: number) => ({ fromTimestamp, toTimestamp })
  const startTimestamp = 1_000
  expect(gapsOf({ startTimestamp, sampleGaps: [] })).toEqual({ sampledFrom: undefined, gaps: [] })
  expect(gapsOf({ startTimestamp, sampleGaps: [gap(3_600, 90_000)] })).toEqual({
    sampledFrom: 90_000,
    gaps: [],
  })
  const later = gap(100_800, 104_400)
  expect(gapsOf({ startTimestamp, sampleGaps: [gap(3_600, 90_000), later] }).gaps).toEqual([later])
  expect(gapsOf({ startTimestamp, sampleGaps: [later] })).toEqual({ sampledFrom: undefined, gaps: [later] })
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
  expect(proposalsSentence(of(10))).toMatch(/cases\)\.$/)
  expect(proposalsSentence(of(5))).toMatch(/cases\)\.$/)
  expect(proposalsSentence(of(4))).toContain('it may have missed turns')
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
