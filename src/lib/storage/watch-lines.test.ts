import { beforeEach, expect, test } from 'vitest'
import { addWatched, readWatchLines as read, type Place } from './watch-lines.ts'
import { maxWatched, watchList, type Watched } from './watch-list.ts'

const account = `0x${'ab'.repeat(20)}`
const data = 'q'.repeat(38)
const node = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const validation = '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM'
const place = { chainId: '43113', network: 'fuji' }

/** Without a look at checksums: the ids above are made up. */
const readWatchLines = (text: string, where: Place) => read(text, where, () => true)

beforeEach(() => watchList.set([]))

test('every form is read, each with its chain or network', () => {
  const text = `0X${'AB'.repeat(20)}\r\n\n P-fuji1${data}, X-avax1${data};C-custom1${data}\n${node}\t${validation}`
  expect(readWatchLines(text, place)).toEqual({
    entries: [
      { kind: 'address', place: '43113', id: account },
      { kind: 'wallet', place: 'fuji', id: `fuji1${data}` },
      { kind: 'wallet', place: 'mainnet', id: `avax1${data}` },
      { kind: 'wallet', place: 'fuji', id: `custom1${data}` },
      { kind: 'validator', place: 'fuji', id: node },
      { kind: 'l1Validator', place: 'fuji', id: validation },
    ],
    unread: [],
  })
})

test.each([
  [`http://127.0.0.1:4000/chain/431301/token/${account}?tab=holders`, 'token', '431301', account],
  [`/chain/43113/address/${account}/`, 'address', '43113', account],
  [`https://x.example/p/own/networks/mainnet/validators/${node}#terms`, 'validator', 'mainnet', node],
  [`/networks/fuji/l1-validators/${validation}`, 'l1Validator', 'fuji', validation],
  [`/networks/fuji/addresses/fuji1${data}`, 'wallet', 'fuji', `fuji1${data}`],
])('the link %s is read', (link, kind, where, id) => {
  expect(readWatchLines(link, place).entries).toEqual([{ kind, place: where, id }])
})

test.each([
  `/chain/43113/tx/${account}`,
  `/networks/nowhere/validators/${node}`,
  `/chain/43113/constructor/${account}`,
  '/',
])('the link %s is not understood', (link) => {
  expect(readWatchLines(link, place)).toEqual({ entries: [], unread: [{ line: 1, text: link, part: link }] })
})

test('a line with one wrong part stays whole, with its number', () => {
  const text = `${account}\n\n${node} 0x12\nhello`
  expect(readWatchLines(text, place)).toEqual({
    entries: [{ kind: 'address', place: '43113', id: account }],
    unread: [
      { line: 3, text: `${node} 0x12`, part: '0x12' },
      { line: 4, text: 'hello', part: 'hello' },
    ],
  })
})

test('a line with a wrong checksum stays whole and says so; of a link the id is checked as it stands there', () => {
  const mixed = `0x${'aB'.repeat(20)}`
  const asked: [kind: string, text: string][] = []
  const { entries, unread } = read(
    `${account} ${node}\n/chain/43113/token/${mixed}?tab=holders\nhello`,
    place,
    (kind, text) => {
      asked.push([kind, text])
      return kind === 'address'
    },
  )
  expect(entries).toEqual([])
  expect(unread).toEqual([
    { line: 1, text: `${account} ${node}`, part: node, checksum: true },
    {
      line: 2,
      text: `/chain/43113/token/${mixed}?tab=holders`,
      part: `/chain/43113/token/${mixed}?tab=holders`,
      checksum: true,
    },
    { line: 3, text: 'hello', part: 'hello' },
  ])
  expect(asked).toEqual([
    ['address', account],
    ['validator', node],
    ['token', mixed],
  ])
})

test('an EVM address is not understood without a chain', () => {
  expect(readWatchLines(account, { ...place, chainId: undefined }).unread).toHaveLength(1)
})

test('what is new comes first, once; what is watched keeps its place', () => {
  const old: Watched = { kind: 'address', place: '43113', id: `0x${'cd'.repeat(20)}` }
  watchList.set([old])
  const { entries } = readWatchLines([account, old.id, account, node, node].join('\n'), place)
  const fresh = [
    { kind: 'address', place: '43113', id: account },
    { kind: 'validator', place: 'fuji', id: node },
  ]
  expect(addWatched(entries)).toEqual(fresh)
  expect(watchList.get()).toEqual([...fresh, old])
})

test('a full list takes nothing', () => {
  const full = Array.from({ length: maxWatched }, (_, index): Watched => ({
    kind: 'address',
    place: '43113',
    id: `0x${index.toString(16).padStart(40, '0')}`,
  }))
  watchList.set(full)
  expect(addWatched(readWatchLines(`${account}\n${node}`, place).entries)).toBe('full')
  expect(watchList.get()).toEqual(full)
})
