import { expect, test } from 'vitest'
import { bandsOf, joinEmptyBands } from './bands.ts'

test('bands name their bounds in the unit of the token, and empty ones stay between others', () => {
  const sent = [
    { digits: 6, holderCount: '3', held: '600000' },
    { digits: 8, holderCount: '1', held: '99400000' },
  ]
  const bands = bandsOf(sent, { holderCount: '4', held: '100000000' }, 6)
  expect(bands.map(({ from, below, holderCount }) => [from, below, holderCount])).toEqual([
    ['0.1', '1', '3'],
    ['1', '10', '0'],
    ['10', '100', '1'],
  ])
  expect(bands.map(({ holderShare, heldShare }) => [holderShare, heldShare])).toEqual([
    [75, 0.6],
    [0, 0],
    [25, 99.4],
  ])
  expect(bandsOf([], { holderCount: '0', held: '0' }, 18)).toEqual([])
})

test('reads empty bands in a row as one', () => {
  const sent = [1, 5, 7].map((digits) => ({ digits, holderCount: '1', held: '5' }))
  const bands = joinEmptyBands(bandsOf(sent, { holderCount: '3', held: '15' }, 0))
  expect(bands.map(({ from, below, holderCount }) => `${from} to ${below}: ${holderCount}`)).toEqual([
    '1 to 10: 1',
    '10 to 10,000: 0',
    '10,000 to 100,000: 1',
    '100,000 to 1,000,000: 0',
    '1,000,000 to 10,000,000: 1',
  ])
})
