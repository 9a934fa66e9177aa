import type { Utxo } from '../../../../contract/primary/fields.ts'

/** The state of a UTXO as shown on pages. `until` is Unix seconds of 64 bits. */
export type UtxoState = {
  id: 'spent' | 'staked' | 'pending' | 'locked' | 'stakeable' | 'moving' | 'free'
  until?: bigint
}

const wide = (value: number | bigint | undefined): bigint => BigInt(value ?? 0)

/** The state of a UTXO at `now` (Unix seconds), by the rules of the balance buckets (docs/api.md). */
export function utxoState(utxo: Utxo, now: number): UtxoState {
  const at = BigInt(now)
  if (utxo.consumingTxHash !== undefined && utxo.consumingTxHash !== '') return { id: 'spent' }
  if (utxo.staked === true && wide(utxo.utxoEndTimestamp) > at) {
    const begun = wide(utxo.utxoStartTimestamp) <= at
    return { id: begun ? 'staked' : 'pending', until: wide(utxo.utxoEndTimestamp) }
  }
  const locked = [utxo.platformLocktime, utxo.locktime].map(wide).find((time) => time > at)
  if (locked !== undefined) return { id: 'locked', until: locked }
  if (wide(utxo.stakeableLocktime) > at) return { id: 'stakeable', until: wide(utxo.stakeableLocktime) }
  if (utxo.createdOnChainId !== utxo.consumedOnChainId) return { id: 'moving' }
  return { id: 'free' }
}
