import { beforeEach, expect, test } from 'vitest'
import { exportWatchList, importWatchList } from './watch-file.ts'
import { watchList, type Watched } from './watch-list.ts'

const account = `0x${'ab'.repeat(20)}`
const other = `0x${'cd'.repeat(20)}`
const wallet = `fuji1${'q'.repeat(38)}`
const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const validation = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'

beforeEach(() => watchList.set([]))

const everything: Watched[] = [
  { kind: 'address', place: '43113', id: account },
  { kind: 'wallet', place: 'fuji', id: wallet },
  { kind: 'address', place: '431301', id: account },
  { kind: 'token', place: '43113', id: account },
  { kind: 'validator', place: 'fuji', id: node },
  { kind: 'l1Validator', place: 'fuji', id: validation },
]

const first = (addresses: unknown, validators: unknown): string =>
  JSON.stringify({ version: 1, addresses, validators })
const second = (watched: unknown, version: unknown = 2): string => JSON.stringify({ version, watched })

test('what is exported is imported again, in its order', () => {
  watchList.set(everything)
  const file = exportWatchList()
  expect(JSON.parse(file)).toEqual({ version: 2, watched: everything })
  watchList.set([])
  expect(importWatchList(file)).toEqual(everything)
  expect(watchList.get()).toEqual(everything)
  expect(importWatchList(file)).toEqual([])
  expect(watchList.get()).toEqual(everything)
})

test('a file of version 1 is read', () => {
  const file = first(
    [
      { chainId: '43113', address: account },
      { network: 'fuji', address: wallet },
    ],
    [{ network: 'fuji', nodeId: node }],
  )
  const [address, ofNetwork, , , validator] = everything
  expect(importWatchList(file)).toEqual([address, ofNetwork, validator])
})

test('a file adds to what is watched, each entry once, and what is watched keeps its place', () => {
  const old: Watched = { kind: 'address', place: '1', id: other }
  watchList.set([old])
  const entry = { kind: 'token', place: '2', id: account }
  const file = second([
    entry,
    { ...old, id: other.toUpperCase().replace('0X', '0x') },
    { ...entry, note: 'unknown fields are left out' },
  ])
  expect(importWatchList(file)).toEqual([entry])
  expect(watchList.get()).toEqual([old, entry])
})

test.each([
  ['{', 'not JSON'],
  ['[1]', 'no watch list'],
  [JSON.stringify({ [account]: 'a label' }), 'no watch list'],
  [second([], 3), 'version 3; only versions 1 and 2'],
  [second([], 'toString'), 'version "toString"; only versions 1 and 2'],
  [JSON.stringify({ version: 1, addresses: [] }), 'no list "validators"'],
  [JSON.stringify({ version: 2 }), 'no list "watched"'],
  [first([{ chainId: '1', address: account }, { address: account }], []), 'Entry 2 of "addresses"'],
  [first([{ chainId: '1', address: '0x12' }], []), 'Entry 1 of "addresses"'],
  [first([{ network: 'nowhere', address: wallet }], []), 'Entry 1 of "addresses"'],
  [first([], [{ network: 'fuji', nodeId: node }, null]), 'Entry 2 of "validators"'],
  [first([{ chainId: '1', address: account }], [{ network: 'fuji', nodeId: 'NodeID-0' }]), 'Entry 1 of "val'],
  [first(Array.from({ length: 10_001 }), []), 'at most 10000'],
  [second([{ kind: 'address', place: 'fuji', id: wallet }]), 'Entry 1 of "watched"'],
  [second([{ kind: 'token', place: '1', id: node }]), 'Entry 1 of "watched"'],
  [second([{ kind: 'wallet', place: '43113', id: wallet }]), 'Entry 1 of "watched"'],
  [second([{ kind: 'l1Validator', place: 'fuji', id: node }]), 'Entry 1 of "watched"'],
  [second([{ kind: 'block', place: '1', id: '7' }]), 'Entry 1 of "watched"'],
  [
    second(
      Array.from({ length: 10_000 }, (_, index) => ({
        kind: 'address',
        place: '1',
        id: `0x${index.toString(16).padStart(40, '0')}`,
      })),
    ),
    'holds at most 10000',
  ],
])('%.40s is refused with a sentence, and changes nothing', (file, words) => {
  const before: Watched[] = [{ kind: 'address', place: '1', id: other }]
  watchList.set(before)
  expect(() => importWatchList(file)).toThrow(words)
  expect(() => importWatchList(file)).toThrow('Nothing was imported.')
  expect(watchList.get()).toEqual(before)
})
