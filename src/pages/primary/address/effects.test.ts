import { bech32 } from '@scure/base'
import { expect, test } from 'vitest'
import type { Utxo } from '../../../../contract/primary/fields.ts'
import { effectsOf } from './effects.ts'
import { ownersOf } from './owners.ts'
import { utxoState } from './utxo-state.ts'

const wallet = (byte: number): string => bech32.encode('fuji', bech32.toWords(new Uint8Array(20).fill(byte)))
const mine = wallet(1)
const other = wallet(2)

const utxo = (addresses: string[], amount: string, more: Partial<Utxo> = {}): Utxo => ({
  addresses,
  asset: { assetId: 'avax', name: 'Avalanche', symbol: 'AVAX', denomination: 9, type: 'secp256k1', amount },
  consumedOnChainId: 'p',
  createdOnChainId: 'p',
  utxoId: amount,
  outputIndex: 0,
  utxoType: 'TRANSFER',
  ...more,
})

test('nets the owners’ outputs and inputs of a transaction', () => {
  const tx = {
    txHash: 't',
    txType: 'BaseTx',
    consumedUtxos: [utxo([`P-${mine}`], '100'), utxo([other], '40')],
    emittedUtxos: [utxo([other], '60'), utxo([other, mine], '79')],
  }
  expect(effectsOf(tx, [mine]).map(({ amount }) => amount)).toEqual([-21n])
  expect(effectsOf(tx, [mine, other]).map(({ amount }) => amount)).toEqual([-1n])
  expect(effectsOf({ ...tx, consumedUtxos: [], emittedUtxos: [] }, [mine])).toEqual([])
})

test('classifies a UTXO as spent, staked, locked, in transit or free, in this order', () => {
  const state = (more: Partial<Utxo>) => utxoState(utxo([mine], '1', more), 1_000)
  expect(state({ consumingTxHash: 'x', staked: true, utxoEndTimestamp: 2_000 })).toEqual({ id: 'spent' })
  expect(state({ staked: true, utxoStartTimestamp: 1_000, utxoEndTimestamp: 1_001 })).toEqual({
    id: 'staked',
    until: 1_001n,
  })
  expect(state({ staked: true, utxoStartTimestamp: 1_001, utxoEndTimestamp: 2_000 }).id).toBe('pending')
  expect(state({ platformLocktime: 2n ** 64n - 1n })).toEqual({ id: 'locked', until: 2n ** 64n - 1n })
  expect(state({ stakeableLocktime: 1_001, consumedOnChainId: 'x' }).id).toBe('stakeable')
  expect(state({ stakeableLocktime: 1_000, consumedOnChainId: 'x' }).id).toBe('moving')
  expect(state({ platformLocktime: 1_000, staked: true, utxoEndTimestamp: 1_000 }).id).toBe('free')
})

test('parses the addresses of a path without duplicates and chain prefixes, and rejects invalid ones', () => {
  expect(ownersOf(`P-${mine}, X-${mine},${other}`)).toEqual([mine, other])
  expect(ownersOf(`${mine},0x${'1'.repeat(40)}`)).toBeUndefined()
  expect(ownersOf(mine.slice(0, -1))).toBeUndefined()
  expect(ownersOf(`${mine.slice(0, -1)}${mine.endsWith('q') ? 'p' : 'q'}`)).toBeUndefined()
})
