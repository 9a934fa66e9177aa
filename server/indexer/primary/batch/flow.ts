import type { RowSink, Exported, Missing, TxRecord } from './batch.ts'
import { utxoIdOf } from '../../../../protocol/native/hashes.ts'
import type { AssetInput, AssetOutput, UtxoReference } from '../../../../protocol/primary/outputs.ts'
import type { Place, Spend, UtxoRow } from './model.ts'
import { type StakePeriod, utxoRow } from './utxos.ts'

type FlowOptions = {
  readonly chain: number
  readonly batch: RowSink
  readonly txId: Uint8Array
  readonly place: Place
  readonly record: TxRecord
}

/** Creates the row of a UTXO that the store lacks, already spent. */
export type Recover = (input: AssetInput, number: number, spend: Spend) => UtxoRow | undefined

/** The inputs and outputs of one transaction, in order: their counts determine the indexes. */
export class Flow {
  readonly #options: FlowOptions
  #nextOutput = 0
  #nextInput = 0

  constructor(options: FlowOptions) {
    this.#options = options
  }

  /** Spends inputs; `missing` handles those that the store lacks. */
  spend(inputs: readonly AssetInput[], missing?: Exported | Recover): void {
    for (const input of inputs) {
      const number = this.#nextInput
      this.#spendOne(
        input,
        typeof missing === 'function' ? (spend) => missing(input, number, spend) : missing,
      )
    }
  }

  /** Spends outputs that are given by reference only, as operations do. */
  spendReferences(references: readonly UtxoReference[]): void {
    for (const reference of references) this.#spendOne(reference, undefined)
  }

  /** Creates outputs that can be spent on `home`; the default is the chain itself. */
  make(outputs: readonly AssetOutput[], home?: number, period?: StakePeriod): void {
    const { chain, batch, txId, place, record } = this.#options
    const { height, index, ts } = place
    const origin = { height, index, ts, chain, home: home ?? chain, txId }
    for (const output of outputs) {
      batch.create(utxoRow(origin, this.#nextOutput, output, period), record)
      this.#nextOutput += 1
    }
  }

  #spendOne(
    { txId, outputIndex }: UtxoReference,
    missing: Exported | ((spend: Spend) => UtxoRow | undefined) | undefined,
  ): void {
    const { chain, batch, place, record } = this.#options
    const { height, index, ts } = place
    const spend = { height, index, ts, chain, input: this.#nextInput, txId: this.#options.txId }
    this.#nextInput += 1
    const remedy: Missing | undefined = typeof missing === 'function' ? () => missing(spend) : missing
    batch.spend(utxoIdOf(txId, outputIndex), spend, record, remedy)
  }
}
