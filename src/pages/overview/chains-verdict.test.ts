import { expect, test } from 'vitest'
import type { ChainRow } from './chain-rows.tsx'
import { chainsVerdict } from './chains-verdict.ts'

const row = (chainName: string, state: string, txCountDay?: string, reason?: string): ChainRow =>
  ({
    chain: { chainName },
    status: { chainName, state, txCountDay, reason },
    index: 0,
    isCounted: true,
  }) as unknown as ChainRow

test('all chains are live, and the busiest is named with its part', () => {
  expect(chainsVerdict([row('C-Chain', 'live', '119'), row('Meridian', 'live', '1318')])).toEqual({
    state: 'ok',
    word: 'live',
    text: 'All 2 chains are at the head. Meridian has the most transactions of the last 24 h: 1,318 of 1,437.',
  })
  expect(chainsVerdict([row('C-Chain', 'live', '119')])?.text).toBe('The chain is at the head.')
})

test('chains that are behind are named with their state and its reason', () => {
  const rows = [row('A', 'live', '1'), row('B', 'syncing'), row('C', 'stopped', '2', 'disk is full')]
  expect(chainsVerdict(rows)).toEqual({
    state: 'failed',
    word: 'stopped',
    text: '1 of 3 chains is at the head. B is catching up. C has stopped: disk is full.',
  })
  expect(chainsVerdict(rows.slice(0, 2))).toMatchObject({ state: 'pending', word: 'catching up' })
  expect(chainsVerdict([row('Five', 'waiting', '0', 'connection refused: does the node run?')])).toEqual({
    state: 'late',
    word: 'late',
    text: 'Five waits for its node: connection refused: does the node run?',
  })
})

test('a reason that chains have in common is given once', () => {
  const many = ['A', 'B', 'C', 'D', 'E'].map((name) => row(name, 'waiting', undefined, 'no answer'))
  expect(chainsVerdict([...many, row('F', 'waiting')])?.text).toBe(
    'None of 6 chains is at the head. A, B, C and 2 more wait for their node: no answer. F waits for its node.',
  )
})

test('nothing is said without chains, or before their status is known', () => {
  expect(chainsVerdict([])).toBeNull()
  expect(chainsVerdict([{ ...row('A', 'live'), status: undefined }])).toBeUndefined()
})
