import { expect, test } from 'vitest'
import { balanceSeries, stakeSeries, uptimeSeries } from './levels.ts'

const utc = (text: string): number => Date.parse(`${text}Z`) / 1000
const day = (date: number): number => utc(`2025-11-0${date}T00:00:00`)

const stake = (timestamp: number, amountStaked: string, amountDelegated: string, delegatorCount: number) => ({
  timestamp,
  amountStaked,
  amountDelegated,
  delegatorCount,
})

test('keeps a stake until it changes, and shows the value at a period’s end', () => {
  const changes = [
    stake(utc('2025-11-02T10:00:00'), '2000', '0', 0),
    stake(utc('2025-11-04T00:00:00'), '2000', '50', 1),
    stake(utc('2025-11-04T23:59:59'), '2000', '75', 2),
  ]
  const { delegated, own } = stakeSeries(changes, { from: null, to: day(6) }, 'day')
  expect(delegated).toEqual([
    { timestamp: day(2), value: 0n },
    { timestamp: day(3), value: 0n },
    { timestamp: day(4), value: 75n },
    { timestamp: day(5), value: 75n },
  ])
  expect(own.map(({ value }) => value)).toEqual([2000n, 2000n, 2000n, 2000n])
  const later = stakeSeries(changes, { from: day(5), to: day(6) }, 'day')
  expect(later.delegators).toEqual([{ timestamp: day(5), value: 2 }])
  expect(stakeSeries([], { from: null, to: day(6) }, 'day').own).toEqual([])
})

test('has no points between terms and after the last one, instead of 0', () => {
  const changes = [
    stake(utc('2025-11-01T10:00:00'), '2000', '50', 1),
    stake(utc('2025-11-03T10:00:00'), '0', '0', 0),
    stake(utc('2025-11-05T10:00:00'), '3000', '0', 0),
    stake(utc('2025-11-06T10:00:00'), '0', '0', 0),
  ]
  const { own, delegated, delegators } = stakeSeries(changes, { from: null, to: day(9) }, 'day')
  expect(own).toEqual([
    { timestamp: day(1), value: 2000n },
    { timestamp: day(2), value: 2000n },
    { timestamp: day(5), value: 3000n },
  ])
  expect(delegated.map(({ value }) => value)).toEqual([50n, 50n, 0n])
  expect(delegators.map(({ value }) => value)).toEqual([1, 1, 0])
})

test('shows the last sample of a period, and no point without one', () => {
  const sample = (timestamp: number, uptimePerformance: number) => ({
    timestamp,
    uptimePerformance,
    txHash: 't',
    isConnected: true,
  })
  const samples = [
    sample(utc('2025-11-04T01:30:00'), 97),
    sample(utc('2025-11-02T23:00:00'), 99.5),
    sample(utc('2025-11-02T22:00:00'), 99),
  ]
  expect(uptimeSeries(samples, 'day')).toEqual([
    { timestamp: day(2), value: 99.5 },
    { timestamp: day(4), value: 97 },
  ])
})

test('draws a balance as straight lines between changes, ending with the current one', () => {
  const changes = [
    { timestamp: day(1), remaining: 1_000n, change: 1_000n },
    { timestamp: day(3), remaining: 1_300n, change: 500n },
  ]
  const now = { timestamp: utc('2025-11-04T12:00:00'), remaining: 1_200n }
  const points = balanceSeries(changes, now, { from: null, to: day(9) }, 'day')
  expect(points.map(({ timestamp }) => timestamp)).toEqual([day(1), day(2), day(3), day(4)])
  // After a whole day half of the 200 that the fee takes until day 3 is used up, within a second's fee.
  expect(points.map(({ value }) => value)).toEqual([901n, 801n, 1_234n, 1_200n])
})
