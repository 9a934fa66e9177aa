import { expect, test } from 'vitest'
import { freshnessOf, progressOf } from './freshness.ts'
import { basenameOf, inProfile, profileOfLocation } from './profile-path.ts'

const now = 1_000_000
const live = {
  state: 'live',
  indexedBlock: '100',
  indexedTimestamp: now - 5,
  nodeBlock: '100',
  nodeSeenTimestamp: now - 2,
  blockTime: 3,
}

test.each([
  ['a young head', live, 'fresh'],
  ['an old head of a node that was just seen', { ...live, indexedTimestamp: now - 5000 }, 'quiet'],
  [
    'an old head of a silent node',
    { ...live, indexedTimestamp: now - 5000, nodeSeenTimestamp: now - 500 },
    'stale',
  ],
  ['many blocks behind the node', { ...live, nodeBlock: '200' }, 'stale'],
  ['a chain that waits for its node', { ...live, state: 'waiting' }, 'stale'],
  ['a chain that syncs', { ...live, state: 'syncing' }, 'syncing'],
  ['a chain that stopped', { ...live, state: 'stopped' }, 'stopped'],
  ['no block yet', { state: 'waiting' }, 'unknown'],
  ['an old head without a status', { indexedBlock: '1', indexedTimestamp: now - 61 }, 'stale'],
  ['slow blocks', { ...live, blockTime: 60, indexedTimestamp: now - 500, state: undefined }, 'fresh'],
] as const)('%s', (_name, chain, expected) => {
  expect(freshnessOf(chain, now)).toBe(expected)
})

test('progress is a share of what the node has, from the first indexed block', () => {
  expect(progressOf('0', '49', '99')).toBe(0.5)
  expect(progressOf('1000', '1000', '1999')).toBe(0.001)
  expect(progressOf('0', '5', '3')).toBe(1)
  expect(progressOf('0', undefined, '3')).toBeUndefined()
})

test('a profile is part of the path', () => {
  expect(profileOfLocation('/p/mainnet/chains')).toBe('mainnet')
  expect(profileOfLocation('/p/mainnet')).toBe('mainnet')
  expect(profileOfLocation('/pages')).toBeUndefined()
  expect(basenameOf('/p/fuji/chain/1')).toBe('/p/fuji')
  expect(basenameOf('/chain/1')).toBe('/')
  expect(inProfile('/', 'fuji', false)).toBe('/p/fuji')
  expect(inProfile('/settings', 'local', true)).toBe('/settings')
})
