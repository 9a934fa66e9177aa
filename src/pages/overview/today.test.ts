import { expect, test } from 'vitest'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { sentenceOf } from './today.tsx'

const to = 1_795_996_800
const all = { last: { to, count: 12 }, usual: null, hours: [], days: [] }
const syncing = (chainName: string, indexedTimestamp?: number): ChainStatus =>
  ({
    chainName,
    state: 'syncing',
    ...(indexedTimestamp !== undefined && { indexedTimestamp }),
  }) as ChainStatus

test('a chain whose index ends before the last 24 hours is not said to have had none', () => {
  const far = syncing('Far', to - 86_401)
  const near = syncing('Near', to - 3_600)
  const none = syncing('None')
  expect(sentenceOf({ all }, 3, [near])).toMatch(
    /^12 transactions on 3 chains in .*; Near is not at the head/,
  )
  expect(sentenceOf({ all }, 3, [far, none])).toMatch(
    /^12 transactions on 1 chain in .*; Far, None are not at the head/,
  )
  const empty = { ...all, last: { to, count: 0 } }
  expect(sentenceOf({ all: empty }, 2, [far, none])).toBe(
    'The last 24 hours are not indexed yet. Far and None are catching up.',
  )
})
