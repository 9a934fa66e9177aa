import { expect, test } from 'vitest'
import { shortAvax } from '../../../../charts/spread/bins.ts'
import { stakeBins, upperBound, uptimeBins } from './bins.ts'

const avax = (count: number): string => (BigInt(count) * 1_000_000_000n).toString()
const sent = {
  timestamp: 1_700_000_000,
  validatorCount: 4,
  amountStaked: avax(80_000),
  amountDelegated: avax(20_000),
  stake: [
    {
      from: avax(2_000),
      below: avax(5_000),
      validatorCount: 3,
      amountStaked: avax(9_000),
      amountDelegated: '0',
    },
    { from: avax(5_000), below: avax(10_000), validatorCount: 0, amountStaked: '0', amountDelegated: '0' },
    {
      from: avax(50_000),
      below: avax(100_000),
      validatorCount: 1,
      amountStaked: avax(71_000),
      amountDelegated: avax(20_000),
    },
  ],
  uptime: [
    { from: 0, below: 50, validatorCount: 1 },
    { from: 99, below: 99.5, validatorCount: 0 },
    { from: 99.9, validatorCount: 2 },
  ],
  unsampledCount: 1,
}

test('bars by stake are shares of the validators and of the stake on one scale', () => {
  const bins = stakeBins(sent)
  expect(bins.map(({ label, count }) => [label, count])).toEqual([
    ['2k', 3],
    ['5k', 0],
    ['50k', 1],
  ])
  // 75 % of the validators hold 9 % of the stake, and 25 % of them 91 %, the longest bar.
  expect(bins.map(({ bars }) => bars)).toEqual([
    [75 / 91, 9 / 91],
    [0, 0],
    [25 / 91, 1],
  ])
  expect(bins[2]?.words).toBe('50,000 to below 100,000 AVAX: 1 validator with 91.0 % of the stake')
})

test('a bin by uptime has the filter of its bounds, and is named by them', () => {
  const bins = uptimeBins(sent)
  expect(bins.map(({ filter }) => filter)).toEqual([
    { minUptime: '0', maxUptime: '49.999999' },
    { minUptime: '99', maxUptime: '99.499999' },
    { minUptime: '99.9', maxUptime: undefined },
  ])
  expect(bins.map(({ words }) => words)).toEqual([
    '0 to below 50 %: 1 validator',
    '99 to below 99.5 %: 0 validators',
    '99.9 to 100 %: 2 validators',
  ])
  expect(bins.map(({ bars }) => bars)).toEqual([[0.5], [0], [1]])
})

test('an upper bound that is a millionth below a round figure reads as below it', () => {
  expect(upperBound('99.499999')).toBe('below 99.5')
  expect(upperBound('49.999999')).toBe('below 50')
  expect(upperBound('97.123459')).toBe('at most 97.123459')
  expect(upperBound('99.9')).toBe('at most 99.9')
  expect(upperBound('5')).toBe('at most 5')
})

test('round amounts are short', () => {
  expect([1, 500, 2_000, 1_000_000].map((count) => shortAvax(avax(count)))).toEqual(['1', '500', '2k', '1M'])
  expect(shortAvax('0')).toBe('0')
})
