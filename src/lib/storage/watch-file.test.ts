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

const fileOf = (watched: unknown, version: unknown = 1): string => JSON.stringify({ version, watched })

test('what is exported is imported again, in its order', () => {
  watchList.set(everything)
  const file = exportWatchList()
  expect(JSON.parse(file)).toEqual({ version: 1, watched: everything })
  watchList.set([])
  expect(importWatchList(file)).toEqual(everything)
  expect(watchList.get()).toEqual(everything)
  expect(importWatchList(file)).toEqual([])
  expect(watchList.get()).toEqual(everything)
})

test('a file adds to what is watched, each entry once, and what is watched keeps its place', () => {
  const old: Watched = { kind: 'address', place: '1', id: other }
  watchList.set([old])
  const entry = { kind: 'token', place: '2', id: account }
  const file = fileOf([
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
  [fileOf([], 2), 'version 2; only version 1'],
  [fileOf([], 'toString'), 'version "toString"; only version 1'],
  [JSON.stringify({ version: 1 }), 'no list "watched"'],
  [fileOf([{ kind: 'address', place: '1', id: account }, null]), 'Entry 2 of "watched"'],
  [fileOf([{ kind: 'address', place: '1', id: '0x12' }]), 'Entry 1 of "watched"'],
  [fileOf([{ kind: 'wallet', place: 'nowhere', id: wallet }]), 'Entry 1 of "watched"'],
  [fileOf([{ kind: 'validator', place: 'fuji', id: 'NodeID-0' }]), 'Entry 1 of "watched"'],
  [fileOf(Array.from({ length: 10_001 })), 'at most 10000'],
  [fileOf([{ kind: 'address', place: 'fuji', id: wallet }]), 'Entry 1 of "watched"'],
  [fileOf([{ kind: 'token', place: '1', id: node }]), 'Entry 1 of "watched"'],
  [fileOf([{ kind: 'wallet', place: '43113', id: wallet }]), 'Entry 1 of "watched"'],
  [fileOf([{ kind: 'l1Validator', place: 'fuji', id: node }]), 'Entry 1 of "watched"'],
  [fileOf([{ kind: 'block', place: '1', id: '7' }]), 'Entry 1 of "watched"'],
  [
    fileOf(
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
