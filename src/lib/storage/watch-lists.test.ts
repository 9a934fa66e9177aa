import { beforeEach, expect, test } from 'vitest'
import { exportWatchLists, importWatchLists } from './watch-lists.ts'
import { watched } from './watched-addresses.ts'
import { watchedNodes } from './watched-nodes.ts'

const account = `0x${'ab'.repeat(20)}`
const other = `0x${'cd'.repeat(20)}`
const wallet = `fuji1${'q'.repeat(38)}`
const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'

beforeEach(() => {
  watched.set([])
  watchedNodes.set([])
})

const fileOf = (addresses: unknown, validators: unknown, version: unknown = 1): string =>
  JSON.stringify({ version, addresses, validators })

test('what is exported is imported again, in its order', () => {
  const addresses = [
    { chainId: '43113', address: account },
    { chainId: 'fuji', address: wallet },
    { chainId: '431301', address: account },
  ]
  const nodes = [{ network: 'fuji', nodeId: node }]
  watched.set(addresses)
  watchedNodes.set(nodes)
  const file = exportWatchLists()
  expect(JSON.parse(file)).toEqual({
    version: 1,
    addresses: [
      { chainId: '43113', address: account },
      { network: 'fuji', address: wallet },
      { chainId: '431301', address: account },
    ],
    validators: nodes,
  })
  watched.set([])
  watchedNodes.set([])
  expect(importWatchLists(file)).toEqual({ addresses: 3, validators: 1 })
  expect([watched.get(), watchedNodes.get()]).toEqual([addresses, nodes])
  expect(importWatchLists(file)).toEqual({ addresses: 0, validators: 0 })
  expect([watched.get(), watchedNodes.get()]).toEqual([addresses, nodes])
})

test('a file adds to what is watched, each entry once, and what is watched keeps its place', () => {
  watched.set([{ chainId: '1', address: other }])
  const file = fileOf(
    [
      { chainId: '2', address: account },
      { chainId: '1', address: other.toUpperCase().replace('0X', '0x') },
      { chainId: '2', address: account, note: 'unknown fields are left out' },
    ],
    [],
  )
  expect(importWatchLists(file)).toEqual({ addresses: 1, validators: 0 })
  expect(watched.get()).toEqual([
    { chainId: '1', address: other },
    { chainId: '2', address: account },
  ])
})

test.each([
  ['{', 'not JSON'],
  ['[1]', 'no watch lists'],
  [JSON.stringify({ [account]: 'a label' }), 'no watch lists'],
  [fileOf([], [], 2), 'version 2; only version 1'],
  [JSON.stringify({ version: 1, addresses: [] }), 'no list "validators"'],
  [fileOf([{ chainId: '1', address: account }, { address: account }], []), 'Entry 2 of "addresses"'],
  [fileOf([{ chainId: '1', address: '0x12' }], []), 'Entry 1 of "addresses"'],
  [fileOf([{ network: 'nowhere', address: wallet }], []), 'Entry 1 of "addresses"'],
  [fileOf([], [{ network: 'fuji', nodeId: node }, null]), 'Entry 2 of "validators"'],
  [
    fileOf([{ chainId: '1', address: account }], [{ network: 'fuji', nodeId: 'NodeID-0' }]),
    'Entry 1 of "val',
  ],
  [fileOf(Array.from({ length: 10_001 }), []), 'at most 10000'],
])('%.40s is refused with a sentence, and changes nothing', (file, words) => {
  const before = [{ chainId: '1', address: other }]
  watched.set(before)
  expect(() => importWatchLists(file)).toThrow(words)
  expect(() => importWatchLists(file)).toThrow('Nothing was imported.')
  expect([watched.get(), watchedNodes.get()]).toEqual([before, []])
})
