import { expect, test } from 'vitest'
import { bandsOf } from './bands.ts'

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
