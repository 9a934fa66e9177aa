import { expect, test } from 'vitest'
import { bucketRows, inOrder, otherAssets, shares, totalOf } from './buckets.ts'

const item = (assetId: string, amount: string, utxoCount = 1) => ({
  assetId,
  name: assetId,
  symbol: assetId,
  denomination: 9,
  type: 'secp256k1',
  amount,
  utxoCount,
})

const sheet = {
  'p-chain': {
    unlockedUnstaked: [item('avax', '5')],
    unlockedStaked: [item('avax', '720000000000000000', 3), item('token', '7')],
    atomicMemoryUnlocked: [
      { ...item('avax', '2'), sharedWithChainId: 'x' },
      { ...item('avax', '3'), sharedWithChainId: 'c', status: 'pendingImport' },
      { ...item('avax', '17'), sharedWithChainId: 'c', status: 'pendingExport' },
    ],
  },
  'x-chain': { unlocked: [item('avax', '11', 2), item('token', '1')], locked: [item('avax', '13')] },
  'c-chain': { atomicMemoryLocked: [{ ...item('avax', '17'), sharedWithChainId: 'p' }] },
}

test('sums every bucket over the chains and counts exports once', () => {
  const rows = bucketRows(sheet, 'avax')
  expect(rows.map((row) => [row.id, row.total.amount, row.total.utxoCount])).toEqual([
    ['unlockedUnstaked', 16n, 3],
    ['unlockedStaked', 720000000000000000n, 3],
    ['lockedStaked', 0n, 0],
    ['pendingStaked', 0n, 0],
    ['lockedStakeable', 0n, 0],
    ['lockedPlatform', 13n, 1],
    ['atomicMemoryUnlocked', 5n, 2],
    ['atomicMemoryLocked', 17n, 1],
  ])
  expect(rows[0]?.chains).toMatchObject({ 'p-chain': { amount: 5n }, 'x-chain': { amount: 11n } })
  expect(totalOf(rows)).toBe(720000000000000051n)
})

test('counts a bucket of the X-Chain once if the answer has both of its names', () => {
  const free = [item('avax', '11', 2)]
  const locked = [item('avax', '13')]
  const rows = bucketRows(
    { 'x-chain': { unlockedUnstaked: free, unlocked: free, lockedPlatform: locked, locked } },
    'avax',
  )
  expect(totalOf(rows)).toBe(24n)
})

test('lists other assets by chain and counts stakes as not movable', () => {
  expect(
    otherAssets(sheet, 'avax').map(({ key, free, bound, moving }) => [key, free, bound, moving]),
  ).toEqual([
    ['p-chain/token', 0n, 7n, 0n],
    ['x-chain/token', 1n, 0n, 0n],
  ])
})

test('draws a part for each non-empty bucket, and none for an empty wallet', () => {
  const rows = bucketRows(
    { 'x-chain': { unlocked: [item('avax', '3')], locked: [item('avax', '1')] } },
    'avax',
  )
  expect(shares(rows, 8n)).toEqual([
    { id: 'unlockedUnstaked', share: 0.375 },
    { id: 'lockedPlatform', share: 0.125 },
  ])
  expect(shares(bucketRows({}, 'avax'), 0n)).toEqual([])
})

test('compares an older time with a newer one, whichever was asked for first', () => {
  const [day, week, now] = [1_000, 500, 2_000]
  expect(inOrder(day, week, now)).toEqual({ older: week, newer: day })
  expect(inOrder(week, day, now)).toEqual({ older: week, newer: day })
  expect(inOrder(undefined, week, now)).toEqual({ older: week, newer: undefined })
  expect(inOrder(week, undefined, now)).toEqual({ older: week, newer: undefined })
  // A time ahead is newer than now.
  expect(inOrder(undefined, 3_000, now)).toEqual({ older: undefined, newer: 3_000 })
})
