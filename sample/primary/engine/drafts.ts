import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { amountOf } from '../state.ts'
import type { AssetOutput, Base, Owner } from '../transactions.ts'
import { output, type Party } from '../wallet.ts'

/** The purpose of a transaction of P or X; its builder adds inputs, change, fee and signatures. */
export type Draft<Unsigned> = {
  /** The party that pays. */
  readonly party: Party
  readonly build: (base: Base) => Unsigned
  /** Amounts by asset that leave besides the change: outputs, stake, exports, balances. */
  readonly needs?: readonly (readonly [BareHex, bigint])[]
  readonly outputs?: readonly AssetOutput[]
  readonly memo?: Uint8Array
}

/** A payment on P or X. */
export function transfer(party: Party, outputs: readonly AssetOutput[], memo?: Uint8Array) {
  return {
    party,
    outputs,
    needs: outputs.map(({ assetId, output: each }) => [assetId, amountOf(each)] as const),
    ...(memo === undefined ? {} : { memo }),
    build: (base: Base) => ({ type: 'BaseTx' as const, base }),
  }
}

/** An export from P or X to the chain with the id `destination`. */
export function exportTo(
  party: Party,
  destination: BareHex,
  asset: BareHex,
  amount: bigint,
  to: Owner,
  memo?: Uint8Array,
) {
  return {
    party,
    needs: [[asset, amount] as const],
    ...(memo === undefined ? {} : { memo }),
    build: (base: Base) => ({
      type: 'ExportTx' as const,
      base,
      destinationChain: destination,
      exportedOutputs: [output(asset, amount, to)],
    }),
  }
}
