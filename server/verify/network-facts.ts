/** Something that happened at a time, with an amount: 1 for what is only counted. */
export type Fact = { readonly ts: number; readonly amount: bigint }

/** A staking period of the primary network. */
export type Stake = {
  readonly node: string
  readonly isDelegator: boolean
  readonly weight: bigint
  readonly start: number
  /** As planned. */
  readonly end: number
  readonly potential: bigint
  /** Whether it continues a period of the same validator, and whether another one continues it. */
  readonly continues: boolean
  isContinued: boolean
  ended: number | undefined
}

/** The state of the P-Chain after a block. */
export type PStateFact = {
  readonly ts: number
  readonly supply: bigint
  readonly l1Validators: bigint
  readonly activeL1Validators: bigint
  readonly l1Balances: bigint
}

/** What has a list of facts of its own. */
export type FactName =
  | `${'p' | 'x' | 'c'}Tx`
  | `${'p' | 'x' | 'c'}Burned`
  | `${'p' | 'x'}Utxo`
  | 'ownReward'
  | 'delegatorReward'
  | 'feeReward'
  | 'subnet'
  | 'blockchain'
  | 'l1'
  | 'l1Fee'

/** A message of the P-Chain to the chain of an L1's manager (its id in hex), or of that chain to the P-Chain. */
type MessageFact = `${'sent' | 'delivered'} ${string}`

/** All that the blocks of P, X and C tell, by time. */
export class NetworkFacts {
  readonly stakes: Stake[] = []
  readonly states: PStateFact[] = []
  /** The transactions of each chain by the name of their type; `pTx` and the others have all of them. */
  readonly #facts = new Map<string, Fact[]>()
  readonly #spent = new Set<string>()

  add(name: FactName | `${'p' | 'x'}Tx ${string}` | MessageFact, ts: number, amount = 1n): void {
    const list = this.#facts.get(name)
    if (list) list.push({ ts, amount })
    else this.#facts.set(name, [{ ts, amount }])
  }

  /**
   * How many UTXOs of a chain these inputs spend. One that was spent before is not spent again: accepted history has such
   * inputs (docs/indexer.md).
   */
  spent(
    chain: 'P' | 'X',
    inputs: readonly { readonly txId: Uint8Array; readonly outputIndex: number }[],
  ): number {
    let count = 0
    for (const { txId, outputIndex } of inputs) {
      const key = `${chain}${Buffer.from(txId).toString('latin1')}${outputIndex}`
      if (this.#spent.has(key)) continue
      this.#spent.add(key)
      count += 1
    }
    return count
  }

  /** The names of facts that begin with a word. */
  names(word: string): string[] {
    return [...this.#facts.keys()].filter((name) => name.startsWith(`${word} `))
  }

  of(...names: readonly string[]): readonly Fact[] {
    return names.flatMap((name) => this.#facts.get(name) ?? [])
  }
}
