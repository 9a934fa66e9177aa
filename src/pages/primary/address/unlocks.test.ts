import { expect, test } from 'vitest'
import type { Unlock } from '../../../api/primary/address.ts'
import { nextFree } from './next-free.ts'
import { unlockKinds, unlockPlan } from '../../../../charts/spread/unlocks.ts'
import { bucketColour } from './balances/bucket-bar.tsx'
import { unlockEvents } from './unlocks.ts'

const utc = (text: string): number => Date.parse(`${text}Z`) / 1000
const now = utc('2025-11-21T12:00:00')

const unlock = (timestamp: number | bigint, amount: string, kind = 'STAKING_END'): Unlock => ({
  timestamp,
  kind,
  chainName: 'p-chain',
  asset: { assetId: 'avax', name: 'Avalanche', symbol: 'AVAX', denomination: 9, type: 'secp256k1', amount },
  utxoCount: 1,
  txHash: 'hash',
})

test('kinds of unlocks have the colours of their balances', () => {
  expect(unlockKinds.map(({ colour }) => colour)).toEqual(
    (['unlockedStaked', 'lockedStakeable', 'lockedPlatform'] as const).map(bucketColour),
  )
})

test('groups unlocks of a week by kind, and separates those decades ahead', () => {
  const plan = unlockPlan(
    [
      unlock(utc('2026-03-02T00:00:00'), '5'),
      unlock(utc('2026-03-08T23:59:59'), '7', 'PLATFORM_LOCK'),
      unlock(utc('2026-03-09T00:00:00'), '11', 'STAKEABLE_LOCK'),
      unlock(utc('2060-01-01T00:00:00'), '13'),
      unlock(2n ** 64n - 1n, '17', 'PLATFORM_LOCK'),
    ],
    'avax',
    now,
  )
  expect(plan.interval).toBe('week')
  expect(plan.from).toBe(utc('2025-11-17T00:00:00'))
  expect(plan.to).toBe(utc('2026-03-16T00:00:00'))
  expect(plan.bins.map(({ start, total, amounts }) => [start, total, amounts.PLATFORM_LOCK])).toEqual([
    [utc('2026-03-02T00:00:00'), 12n, 7n],
    [utc('2026-03-09T00:00:00'), 11n, 0n],
  ])
  expect(plan.later).toBe(30n)
})

test('makes an event with a description of every unlock within the calendar’s range', () => {
  const events = unlockEvents([
    { ...unlock(now, '1500000000'), nodeId: 'NodeID-x', estimatedReward: unlock(now, '20000000').asset },
    unlock(2n ** 64n - 1n, '1'),
    { ...unlock(now + 1, '1500000000'), renewsItself: true },
  ])
  expect(events).toEqual([
    {
      uid: `hash-STAKING_END-${now}@ridgeline`,
      at: now,
      title: '1.5 AVAX free: Staking ends',
      notes: 'P-Chain\nStaked at NodeID-x\nReward, as estimated: 0.02 AVAX\nTransaction hash',
    },
    {
      uid: `hash-STAKING_END-${now + 1}@ridgeline`,
      at: now + 1,
      title: '1.5 AVAX staked again: Period ends, renews itself',
      notes: 'P-Chain\nTransaction hash',
    },
  ])
})

test('skips stakes of auto-renewed validators for the next unlock', () => {
  const renewing = { ...unlock(now + 1, '1'), renewsItself: true }
  const free = unlock(now + 2, '2')
  expect(nextFree([renewing, free, unlock(now + 3, '3')])).toBe(free)
  expect(nextFree([renewing])).toBeUndefined()
  expect(nextFree(undefined)).toBeUndefined()
})
