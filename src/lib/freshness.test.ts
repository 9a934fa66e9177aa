import { expect, test } from 'vitest'
import { connectionState, type Connection } from './connection.ts'
import { feedOf, isFarBehind, progressOf, type Feed, type Followed } from './freshness.ts'
import { createPaces } from './pace.ts'
import { feedName, feedSentence } from './feed-words.ts'
import { basenameOf, inProfile, profileOfLocation } from './profile-path.ts'

const now = 1_000_000
const at = 500
const heard: Connection = { stream: 'open', wokeAt: 0, heardAt: at - 1 }
const live: Followed = {
  state: 'live',
  indexedBlock: '100',
  indexedTimestamp: now - 5,
  nodeBlock: '100',
  nodeSeenTimestamp: now - 2,
  blockTime: 3,
}
const old = { ...live, indexedTimestamp: now - 5000 }
const feed = (chain: Followed | undefined, more: Partial<Parameters<typeof feedOf>[0]> = {}): Feed =>
  feedOf({ at, now, connection: heard, chain, ...more })

test.each<[string, Connection, 'ok' | 'checking' | 'lost']>([
  ['a heartbeat a second ago', heard, 'ok'],
  ['the last moment in which a heartbeat may be missing', { ...heard, heardAt: at - 10 }, 'ok'],
  ['no heartbeat for longer', { ...heard, heardAt: at - 10.1 }, 'lost'],
  ['a failure since the last sign of life', { ...heard, failedAt: at - 0.5 }, 'lost'],
  ['a page that has just opened', { stream: 'connecting', wokeAt: at - 1 }, 'checking'],
  [
    'an answer while the stream is connecting',
    { stream: 'connecting', wokeAt: at - 1, heardAt: at },
    'checking',
  ],
  ['a page without any answer', { stream: 'connecting', wokeAt: at - 6 }, 'lost'],
  ['a page that woke up after hours', { ...heard, heardAt: 1, wokeAt: at - 1 }, 'checking'],
  ['a page that woke up and got no answer since', { ...heard, heardAt: 1, wokeAt: at - 6 }, 'lost'],
  ['a page that woke up, and a heartbeat since', { ...heard, wokeAt: at - 6 }, 'ok'],
  ['answers without a stream', { stream: 'connecting', wokeAt: 0, heardAt: at - 20 }, 'ok'],
  ['no answers for long', { stream: 'connecting', wokeAt: 0, heardAt: at - 26 }, 'lost'],
  ['a hosted service that was asked', { stream: 'none', wokeAt: 0, heardAt: at - 40 }, 'ok'],
  ['a hosted service that is silent', { stream: 'none', wokeAt: 0, heardAt: at - 51 }, 'lost'],
])('the connection: %s', (_name, connection, expected) => {
  expect(connectionState(connection, at)).toBe(expected)
})

test.each<[string, Followed | undefined, Feed]>([
  ['a young head', live, { kind: 'live', quiet: false }],
  [
    'no block for ten of its usual intervals',
    { ...live, indexedTimestamp: now - 31 },
    { kind: 'live', quiet: true },
  ],
  ['a head within them', { ...live, indexedTimestamp: now - 29 }, { kind: 'live', quiet: false }],
  [
    'a head as old on a slow chain',
    { ...live, blockTime: 12, indexedTimestamp: now - 48 },
    { kind: 'live', quiet: false },
  ],
  [
    'a pause on a chain with several blocks a second',
    { ...live, blockTime: 0.25, indexedTimestamp: now - 14 },
    { kind: 'live', quiet: false },
  ],
  ['an old head of a node that was just seen', old, { kind: 'live', quiet: true }],
  [
    'a node without an answer for over a minute',
    { ...live, nodeSeenTimestamp: now - 61 },
    { kind: 'late', silent: 61 },
  ],
  ['far behind the node without progress', { ...live, nodeBlock: '121' }, { kind: 'late', blocks: 21 }],
  [
    'a few blocks behind the node',
    { ...live, state: 'syncing', nodeBlock: '105' },
    { kind: 'live', quiet: false },
  ],
  [
    'fourteen blocks behind a node with one every three seconds',
    { ...live, state: 'syncing', nodeBlock: '114' },
    { kind: 'catchingUp', blocks: 14, share: 0.878 },
  ],
  [
    'as many of a chain with four a second',
    { ...live, blockTime: 0.25, state: 'syncing', nodeBlock: '114' },
    { kind: 'live', quiet: false },
  ],
  [
    'a chain that syncs',
    { ...old, state: 'syncing', firstBlock: '1', nodeBlock: '1000' },
    { kind: 'catchingUp', blocks: 900, share: 0.1 },
  ],
  ['a chain that syncs its first block', { state: 'syncing' }, { kind: 'catchingUp' }],
  [
    'a chain whose node fails',
    { ...live, state: 'waiting', reason: 'HTTP 503' },
    { kind: 'late', silent: 2, reason: 'HTTP 503' },
  ],
  [
    'a chain whose node fails while it is far behind',
    { ...live, state: 'waiting', nodeBlock: '4000', reason: 'HTTP 503' },
    { kind: 'late', blocks: 3_900, silent: 2, reason: 'HTTP 503' },
  ],
  [
    'a chain whose node fails before its first block',
    { state: 'waiting', nodeBlock: '4000', nodeSeenTimestamp: now - 2 },
    { kind: 'late', blocks: 4_000, silent: 2 },
  ],
  [
    'a chain that never reached its node',
    { state: 'waiting', reason: 'connection refused' },
    { kind: 'late', reason: 'connection refused' },
  ],
  [
    'a chain that stopped',
    { ...live, state: 'stopped', reason: 'too deep' },
    { kind: 'stopped', reason: 'too deep' },
  ],
  ['no block yet', { state: 'live' }, { kind: 'unknown' }],
  ['nothing known', undefined, { kind: 'unknown' }],
  [
    'an old head of a deployment without node status',
    { indexedBlock: '1', indexedTimestamp: now - 61 },
    { kind: 'late', old: 61 },
  ],
  [
    'the same with slow blocks',
    { indexedBlock: '1', indexedTimestamp: now - 500, blockTime: 60 },
    { kind: 'live', quiet: false },
  ],
])('%s', (_name, chain, expected) => {
  expect(feed(chain)).toEqual(expected)
})

test('a lost connection takes precedence, with the time of the last sign of life', () => {
  const connection = { ...heard, heardAt: at - 30 }
  for (const chain of [live, { ...live, state: 'stopped' }, undefined])
    expect(feed(chain, { connection })).toEqual({ kind: 'lost', since: now - 30 })
})

test('a service without its database has stopped, whatever the chain’s state', () => {
  expect(feed(live, { connection: { ...heard, reason: 'the database does not answer' } })).toEqual({
    kind: 'stopped',
    reason: 'the database does not answer',
  })
})

test('no state is reported until the connection is confirmed', () => {
  expect(feed(live, { connection: { stream: 'connecting', wokeAt: at - 1 } })).toEqual({ kind: 'unknown' })
})

test('the remaining time follows from the indexer’s pace', () => {
  const paces = createPaces()
  for (const second of [0, 1, 2, 3, 4])
    paces.see('1', { at: at - 4 + second, block: String(100 * second), ts: 0, announced: true })
  const chain = { ...old, state: 'syncing', indexedBlock: '400', nodeBlock: '1400' }
  expect(feed(chain, { pace: paces.of('1', at) })).toMatchObject({
    kind: 'catchingUp',
    blocks: 1000,
    left: 10,
  })
})

test('a node that is 39 days behind is catching up although its head is indexed', () => {
  const day = 86_400
  const paces = createPaces()
  const start = now - 39 * day
  paces.see('1', { at: at - 0.1, block: '100', ts: start, announced: true })
  const chain = { ...live, indexedTimestamp: start }
  expect(feed(chain, { pace: paces.of('1', at) })).toEqual({ kind: 'catchingUp', behind: 39 * day })
  // An hour of the chain in each second.
  paces.see('1', { at: at + 9.9, block: '200', ts: start + 36_000, announced: true })
  const later = feedOf({
    at: at + 9.9,
    now,
    connection: { ...heard, heardAt: at + 9 },
    chain: { ...chain, indexedBlock: '200', nodeBlock: '200', indexedTimestamp: start + 36_000 },
    pace: paces.of('1', at + 9.9),
  })
  expect(later).toMatchObject({ kind: 'catchingUp', behind: 39 * day - 36_000 })
  if (later.kind === 'catchingUp')
    expect(Math.round(later.left ?? 0)).toBe(Math.round((39 * day - 36_000) / 3599))
})

test('a chain whose time is old but runs at normal speed is live', () => {
  const paces = createPaces()
  for (const second of [0, 2, 4])
    paces.see('1', { at: at - 4 + second, block: String(second), ts: now - 5000 + second, announced: true })
  expect(feed(old, { pace: paces.of('1', at) })).toEqual({ kind: 'live', quiet: true })
})

test('an answer with the known head is not progress, one with a higher head is', () => {
  const paces = createPaces()
  paces.see('1', { at: 1, block: '5', ts: 0, announced: false })
  paces.see('1', { at: 9, block: '5', ts: 0, announced: false })
  expect(paces.of('1', 9)).toBeUndefined()
  paces.see('1', { at: 11, block: '7', ts: 20, announced: false })
  expect(paces.of('1', 11)).toEqual({ advancedAt: 11, blocksPerSecond: 0.2, chainSeconds: 2 })
})

test('rendering the head before the announced one does not reset the pace', () => {
  const paces = createPaces()
  for (const second of [0, 1, 2, 3]) {
    paces.see('1', { at: second, block: String(10 * second), ts: 0, announced: true })
    paces.see('1', { at: second, block: String(10 * second - 10), ts: 0, announced: false })
  }
  expect(paces.of('1', 3)).toMatchObject({ blocksPerSecond: 10 })
})

test('a reorganization resets the pace, and heads older than a minute are dropped', () => {
  const paces = createPaces()
  paces.see('1', { at: 0, block: '100', ts: 0, announced: true })
  paces.see('1', { at: 10, block: '90', ts: 0, announced: true })
  expect(paces.of('1', 10)).toEqual({ advancedAt: 10 })
  paces.see('1', { at: 100, block: '91', ts: 0, announced: true })
  paces.see('1', { at: 110, block: '101', ts: 0, announced: true })
  expect(paces.of('1', 110)?.blocksPerSecond).toBe(1)
})

test('progress is the indexed share of the node’s blocks, counted from the first indexed one', () => {
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

test('a chain without a block for ten of its intervals is not called live', () => {
  const names = (age: number): string => feedName(feed({ ...live, indexedTimestamp: now - age }))
  expect([5, 29, 31, 48, 5_000].map(names)).toEqual(['Live', 'Live', 'Quiet', 'Quiet', 'Quiet'])
})

test('says how far a chain is indexed, and that what is shown ends there', () => {
  const year = { ...live, state: 'syncing', nodeBlock: '4000', indexedTimestamp: now - 86_400 * 400 }
  const sentence = (chain: Followed): string => feedSentence(feed(chain), chain, now, 'utc')
  expect(sentence(year)).toMatch(
    /^Indexing this chain: block 100 of 4,000\. What is shown ends at that block, .*(y|d) ago\.$/,
  )
  expect(sentence({ state: 'syncing', nodeBlock: '4000' })).toBe(
    'Indexing this chain: no block yet of 4,000. Nothing of it is shown yet.',
  )
})

test.each<[what: string, feed: Feed, isFar: boolean]>([
  ['a chain at its head', { kind: 'live', quiet: false }, false],
  ['some blocks that have just come', { kind: 'catchingUp', blocks: 5 }, false],
  ['a first sync', { kind: 'catchingUp', blocks: 2_000, share: 0.1 }, true],
  ['a sync that has not begun', { kind: 'catchingUp' }, true],
  ['a quiet chain with a new block', { kind: 'catchingUp', behind: 7_200 }, false],
  ['a node that reads its own history', { kind: 'catchingUp', behind: 3_000_000 }, true],
  ['a node that has not answered for a moment', { kind: 'late', silent: 20 }, false],
  ['a node that has not answered for long', { kind: 'late', silent: 300 }, true],
  ['a node that has not answered for a moment, far ahead', { kind: 'late', silent: 20, blocks: 101 }, true],
  ['a node that has not answered for long, not far ahead', { kind: 'late', silent: 300, blocks: 30 }, true],
  ['a chain some blocks behind', { kind: 'late', blocks: 30 }, false],
  ['a node that has never answered', { kind: 'late', reason: 'connection refused' }, true],
  ['a stopped chain', { kind: 'stopped' }, true],
  ['a service that is away, of which the frame tells', { kind: 'lost', since: 3 }, false],
])('%s: whether its pages begin with it', (_what, given, isFar) => {
  expect(isFarBehind(given)).toBe(isFar)
})
