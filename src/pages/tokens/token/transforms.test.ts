import { expect, test } from 'vitest'
import { byBalance, compareWindows, isOnePage, spansOf, windowOf, windowSchema } from './windows.ts'

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
