import { beforeEach, expect, test } from 'vitest'
import { addWatchLines, readWatchLines } from './watch-lines.ts'
import { most } from './watch-lists.ts'
import { watched } from './watched-addresses.ts'
import { watchedNodes } from './watched-nodes.ts'

const account = `0x${'ab'.repeat(20)}`
const data = 'q'.repeat(38)
const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const place = { chainId: '43113', network: 'fuji' }

beforeEach(() => {
  watched.set([])
  watchedNodes.set([])
})

test('every form is read, each with its chain or network', () => {
  const text = `0X${'AB'.repeat(20)}\r\n\n P-fuji1${data}, X-avax1${data};C-custom1${data}\n${node}`
  expect(readWatchLines(text, place)).toEqual({
    addresses: [
      { chainId: '43113', address: account },
      { chainId: 'fuji', address: `fuji1${data}` },
      { chainId: 'mainnet', address: `avax1${data}` },
      { chainId: 'fuji', address: `custom1${data}` },
    ],
    validators: [{ network: 'fuji', nodeId: node }],
    unread: [],
  })
})

test('a line with one wrong part stays whole, with its number', () => {
  const text = `${account}\n\n${node} 0x12\nhello`
  expect(readWatchLines(text, place)).toEqual({
    addresses: [{ chainId: '43113', address: account }],
    validators: [],
    unread: [
      { line: 3, text: `${node} 0x12`, part: '0x12' },
      { line: 4, text: 'hello', part: 'hello' },
    ],
  })
})

test('an EVM address is not understood without a chain', () => {
  expect(readWatchLines(account, { ...place, chainId: undefined }).unread).toHaveLength(1)
})

test('what is new comes first, once; what is watched keeps its place', () => {
  const old = { chainId: '43113', address: `0x${'cd'.repeat(20)}` }
  watched.set([old])
  const lines = readWatchLines([account, old.address, account, node, node].join('\n'), place)
  expect(addWatchLines(lines)).toEqual({ addresses: 1, validators: 1 })
  expect(watched.get()).toEqual([{ chainId: '43113', address: account }, old])
  expect(watchedNodes.get()).toEqual([{ network: 'fuji', nodeId: node }])
})

test('a full list takes nothing', () => {
  const full = Array.from({ length: most }, (_, index) => ({
    chainId: '43113',
    address: `0x${index.toString(16).padStart(40, '0')}`,
  }))
  watched.set(full)
  expect(addWatchLines(readWatchLines(`${account}\n${node}`, place))).toBe('full')
  expect([watched.get(), watchedNodes.get()]).toEqual([full, []])
})
