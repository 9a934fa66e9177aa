import { expect, test } from 'vitest'
import type { ChainRow } from './chain-rows.tsx'
import { chainsVerdict } from './chains-verdict.ts'

const row = (chainName: string, state: string, txCountDay?: string): ChainRow =>
  ({ chain: { chainName }, status: { state, txCountDay }, index: 0, isCounted: true }) as unknown as ChainRow

test('all chains are live, and the busiest is named with its part', () => {
  expect(chainsVerdict([row('C-Chain', 'live', '119'), row('Meridian', 'live', '1318')])).toEqual({
    state: 'ok',
    word: 'live',
    text: 'All 2 chains are at the head. Meridian has the most transactions of the last 24 h: 1,318 of 1,437.',
  })
  expect(chainsVerdict([row('C-Chain', 'live', '119')])?.text).toBe('The chain is at the head.')
})

test('chains that are behind are named with their state, and no count is given before all are known', () => {
  const rows = [row('A', 'live', '1'), row('B', 'syncing'), row('C', 'stopped', '2')]
  expect(chainsVerdict(rows)).toEqual({
    state: 'failed',
    word: 'stopped',
    text: '1 of 3 chains are at the head; B is syncing, C is stopped.',
  })
  expect(chainsVerdict(rows.slice(0, 2))).toMatchObject({ state: 'pending', word: 'syncing' })
  const many = ['A', 'B', 'C', 'D', 'E'].map((name) => row(name, 'waiting'))
  expect(chainsVerdict(many)?.text).toBe(
    '0 of 5 chains are at the head; A is waiting, B is waiting, C is waiting and 2 more.',
  )
})

test('nothing is said without chains, or before their status is known', () => {
  expect(chainsVerdict([])).toBeNull()
  expect(chainsVerdict([{ ...row('A', 'live'), status: undefined }])).toBeUndefined()
})
