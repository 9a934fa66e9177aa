import type { Utxo } from '../../../../contract/primary/fields.ts'
import type { PrimaryTransaction } from '../../../../contract/primary/transactions.ts'
import type { Owners } from '../../../api/primary/address.ts'
import { bareAddress } from '../../../lib/primary-chains.ts'

type Asset = Utxo['asset']

/** The net change of one asset that a transaction made for its owners; stakes stay theirs. */
export type Effect = { asset: Asset; amount: bigint }

/** When a transaction was accepted; the hosted service's records of X and C have another field for it. */
export const timeOf = (tx: PrimaryTransaction): number | undefined => tx.blockTimestamp ?? tx.timestamp

/** The height of a transaction's block; undefined for one of a vertex. */
export const heightOf = (tx: PrimaryTransaction): string | undefined =>
  tx.blockNumber ?? (tx.blockHeight === undefined ? undefined : String(tx.blockHeight))

/**
 * The net effects of a transaction on its owners, one for each asset: their outputs minus their inputs. A UTXO of
 * several addresses counts as a whole if one of them is an owner.
 */
export function effectsOf(tx: PrimaryTransaction, owners: Owners): Effect[] {
  const own = new Set(owners)
  const effects = new Map<string, Effect>()
  const count = (utxos: readonly Utxo[] | undefined, sign: bigint): void => {
    for (const { addresses, asset } of utxos ?? []) {
      if (!addresses.some((address) => own.has(bareAddress(address)))) continue
      const effect = effects.get(asset.assetId) ?? { asset, amount: 0n }
      effect.amount += sign * BigInt(asset.amount)
      effects.set(asset.assetId, effect)
    }
  }
  count(tx.consumedUtxos, -1n)
  count(tx.emittedUtxos, 1n)
  return [...effects.values()].filter(({ amount }) => amount !== 0n)
}
