import { expect, test } from 'vitest'
import type { Watched } from '../../../lib/storage/watch-list.ts'
import { addedText, emptySource, idsIn, sourcesOf, watchedMembers } from './members.ts'

const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const other = 'NodeID-MFrZFVCXPv5iCn6M9K6XduxGTYp891xXZ'
const validation = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'

test('a paste is counted by its different ids, whatever stands around them', () => {
  expect(
    idsIn(`${node} alpha\n"${other}","beta"\n${node}\nhttps://x/networks/fuji/l1-validators/${validation}`),
  ).toEqual({
    nodes: 2,
    validations: 1,
  })
  expect(idsIn('NodeID-short 0x1234 nothing here')).toEqual({ nodes: 0, validations: 0 })
})

test('of the watch list, the validators of the network are members, with their labels on request', () => {
  const list: Watched[] = [
    { kind: 'validator', place: 'fuji', id: node },
    { kind: 'validator', place: 'mainnet', id: other },
    { kind: 'l1Validator', place: 'fuji', id: validation },
    { kind: 'wallet', place: 'fuji', id: 'fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut' },
  ]
  expect(watchedMembers(list, { [node]: 'alpha' }, 'fuji', true)).toEqual([
    { memberId: node, label: 'alpha' },
    { memberId: validation },
  ])
  expect(watchedMembers(list, { [node]: 'alpha' }, 'fuji', false)).toEqual([
    { memberId: node },
    { memberId: validation },
  ])
})

test('a draft sends only its own source, and nothing while that is empty', () => {
  const full = { ...emptySource, text: node, addresses: ' fuji1a, fuji1b\nfuji1c', subnetId: validation }
  const watched = [{ memberId: other }]
  expect(sourcesOf({ ...full, kind: 'paste' }, watched)).toEqual({ text: node })
  expect(sourcesOf({ ...full, kind: 'watched' }, watched)).toEqual({ members: watched })
  expect(sourcesOf({ ...full, kind: 'rewards' }, watched)).toEqual({
    rewardAddresses: ['fuji1a', 'fuji1b', 'fuji1c'],
  })
  expect(sourcesOf({ ...full, kind: 'l1' }, watched)).toEqual({ subnetId: validation })
  for (const kind of ['paste', 'watched', 'rewards', 'l1'] as const)
    expect(sourcesOf({ ...emptySource, kind }, [])).toBeUndefined()
  expect(sourcesOf({ ...emptySource, text: 'no IDs' }, [])).toBeUndefined()
})

test('the outcome of an addition counts what was new, known before and never seen', () => {
  expect(addedText({ addedCount: 1, presentCount: 0, unknown: [] })).toBe('1 member added.')
  expect(addedText({ addedCount: 12, presentCount: 1, unknown: ['a', 'b'] })).toBe(
    '12 members added; 1 was in it already; 2 have never validated here, as far as is indexed.',
  )
  expect(addedText({ addedCount: 0, presentCount: 3, unknown: [] })).toBe(
    'Nothing new; 3 were in it already.',
  )
  const lines = Array.from({ length: 7 }, (_, place) => ({ line: place + 1, reason: 'no ID in it' }))
  expect(addedText({ addedCount: 1, presentCount: 0, unknown: [], notUnderstood: lines.slice(0, 1) })).toBe(
    '1 member added. Not understood: line 1 (no ID in it).',
  )
  expect(addedText({ addedCount: 1, presentCount: 0, unknown: [], notUnderstood: lines })).toMatch(
    /line 5 \(no ID in it\) and 2 more lines\.$/,
  )
})
