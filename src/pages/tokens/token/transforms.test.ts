import { expect, test } from 'vitest'
import { bandsOf } from './bands.ts'
import { tokenSeries } from './history.ts'
import { byBalance, compareWindows, isOnePage, spansOf, windowOf, windowSchema } from './windows.ts'

const day = 86_400

test('days without a transfer keep supply and holders, and count no transfers', () => {
  const point = (at: number, supply: string, holderCount: string, transferCount: string) => ({
    timestamp: at * day,
    supply,
    holderCount,
    transferCount,
  })
  const { supply, holders, transfers } = tokenSeries(
    [point(10, '1000000000000000000000', '3', '5'), point(12, '900', '2', '9')],
    13 * day + 7,
  )
  expect(supply.map(({ timestamp, value }) => [timestamp / day, value])).toEqual([
    [10, 1000000000000000000000n],
    [11, 1000000000000000000000n],
    [12, 900n],
    [13, 900n],
  ])
  expect(holders.map(({ value }) => value)).toEqual([3n, 3n, 2n, 2n])
  expect(transfers.map(({ value }) => value)).toEqual([5n, 0n, 4n, 0n])
  expect(tokenSeries([], 13 * day).supply).toEqual([])
})

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

test('two windows part into joiners, leavers and those who stayed, whatever the case of an address, the largest first', () => {
  const row = (address: string, balance: string) => ({ address, balance, sortKey: 1 })
  const first = [row('0xAA', '1'), row('0xBB', '2'), row('0xCC', '3')]
  const second = [row('0xbb', '2'), row('0xdd', '4'), row('0xcc', '3')]
  const { joined, left, stayed } = compareWindows(first, second)
  expect(joined.map(({ address }) => address)).toEqual(['0xdd'])
  expect(left.map(({ address }) => address)).toEqual(['0xAA'])
  expect(stayed.map(({ address }) => address)).toEqual(['0xcc', '0xbb'])
})

test('a window asks for its bounds as the interface has them, and a broken link asks for everyone', () => {
  const state = windowSchema.parse({ over: '1.5', since: '1000', until: '2000', group: 'x' })
  expect(windowOf(state.over, spansOf(state).first, 6)).toEqual({
    threshold: '1500000',
    startTimestamp: 999,
    endTimestamp: 2000,
  })
  expect(spansOf(state).second).toBeUndefined()
  expect(windowOf('1.5', {}, 0)).toBeUndefined()
  const broken = windowSchema.parse({ over: '0', since: 'x', until2: '-4' })
  expect(windowOf(broken.over, spansOf(broken).first, 18)).toEqual({ threshold: '0' })
})

test('sorts holders by exact balances, unknown ones last', () => {
  const holder = (address: string, balance?: string) => ({
    address,
    sortKey: 1,
    ...(balance !== undefined && { balance }),
  })
  const sorted = byBalance([
    holder('a', '9007199254740993'),
    holder('b'),
    holder('c', '10'),
    holder('d', '9007199254740994'),
    holder('e', '10'),
    holder('f', '0'),
  ])
  expect(sorted.map(({ address }) => address)).toEqual(['d', 'a', 'c', 'e', 'f', 'b'])
})

test('only a list of one page is sorted: not one that goes on, nor one that went on until its end', () => {
  const last = { nextPageToken: undefined }
  const more = { nextPageToken: 'more' }
  expect(isOnePage([last])).toBe(true)
  for (const pages of [[], [more], [more, more], [more, last]]) expect(isOnePage(pages)).toBe(false)
})
