import type { BareHex } from '../../../protocol/ids/bare-hex.ts'
import { LedgerError } from '../ledger.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { amountOf, consume, create, type Space, type State } from '../state.ts'
import type { AssetInput, AssetOutput, Output } from '../transactions.ts'

/** The inputs of a transaction's effect besides the state. */
export type FlowContext = {
  readonly txId: BareHex
  readonly avax: BareHex
  /** The chains by their ids. */
  readonly ids: Readonly<Record<BareHex, ChainAlias>>
}

/** What a transaction of `chain` takes and gives. All methods throw `LedgerError`. */
export class Flow {
  readonly #sums = new Map<BareHex, bigint>()
  readonly #state: State
  readonly #chain: ChainAlias
  readonly #context: FlowContext
  /** The index of the transaction's next output. */
  #next = 0

  constructor(state: State, chain: ChainAlias, context: FlowContext) {
    this.#state = state
    this.#chain = chain
    this.#context = context
  }

  /** Counts an amount of an asset; what leaves is negative. */
  add(asset: BareHex, amount: bigint): void {
    this.#sums.set(asset, (this.#sums.get(asset) ?? 0n) + amount)
  }

  /** Consumes UTXOs of the chain, or those that the chain with this id exported to it. */
  take(inputs: readonly AssetInput[], source?: BareHex): void {
    const from: Space = source === undefined ? this.#chain : `${this.#chain}<${this.#other(source)}`
    for (const { txId, outputIndex, assetId, amount } of inputs) {
      const utxo = consume(this.#state, from, txId, outputIndex)
      if (amount !== amountOf(utxo.output) || assetId !== utxo.assetId) {
        throw new LedgerError('input does not match its UTXO')
      }
      this.add(assetId, amount)
    }
  }

  /** Creates the next outputs, on the chain or exported to the one with this id. */
  give(outputs: readonly AssetOutput[], destination?: BareHex): void {
    const to: Space = destination === undefined ? this.#chain : `${this.#other(destination)}<${this.#chain}`
    for (const { assetId, output } of outputs) {
      this.make(assetId, output, to)
      this.add(assetId, -amountOf(output))
    }
  }

  /** Creates the next output without counting it: an asset's own outputs come from nowhere. */
  make(assetId: BareHex, output: Output, space: Space = this.#chain): void {
    create(this.#state, space, this.#context.txId, this.#next, assetId, output)
    this.#next += 1
  }

  /** The remaining AVAX. `mayKeep` is whether another asset may remain. */
  left(mayKeep = false): bigint {
    const { avax } = this.#context
    for (const [asset, sum] of this.#sums) {
      if (sum < 0n) throw new LedgerError('insufficient funds: flow check failed')
      if (asset !== avax && sum > 0n && !mayKeep) throw new LedgerError('only AVAX pays fees')
    }
    return this.#sums.get(avax) ?? 0n
  }

  #other(id: BareHex): ChainAlias {
    const name = this.#context.ids[id]
    if (name === undefined || name === this.#chain) throw new LedgerError('unknown chain')
    return name
  }
}
