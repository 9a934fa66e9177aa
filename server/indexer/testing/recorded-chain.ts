import recorded from '../evm/fixtures/async-blocks.json' with { type: 'json' }
import fromGenesis from '../evm/fixtures/async-genesis.json' with { type: 'json' }
import type { SimulatedBlock } from './simulated-chain.ts'
import type { ServedChain } from './simulated-node.ts'

/**
 * The first blocks of a real C-Chain. `switching`, 12 blocks: 0 and 1 are synchronous; from block 2 on, each
 * is accepted before it is executed. Block 7 settles up to block 4, block 8 up to 7, block 11 up to 9. They
 * contain plain transfers, creations, logs and a revert. `fromGenesis`, 8 blocks: all are asynchronous;
 * blocks 1 to 3 contain one atomic export each and nothing else; block 7 settles block 4.
 */
export class RecordedChain implements ServedChain {
  readonly id = 43_112
  /** The node's current head. */
  height: number
  readonly #blocks: SimulatedBlock[]

  constructor(which: 'switching' | 'fromGenesis' = 'switching') {
    this.#blocks = which === 'switching' ? [...recorded] : [...fromGenesis]
    this.height = this.#blocks.length - 1
  }

  at(number: number): SimulatedBlock | undefined {
    return number <= this.height ? this.#blocks[number] : undefined
  }

  hash(number: number): string {
    return String(this.at(number)?.block['hash'])
  }

  /**
   * Serves other receipts of a block than the recorded ones. Returns a function that restores the recorded
   * ones.
   */
  lie(number: number, change: Record<string, unknown>): () => void {
    const right = this.#blocks[number]
    if (!right) throw new Error(`block ${number} was not recorded`)
    this.#blocks[number] = {
      ...right,
      receipts: right.receipts.map((receipt) => ({ ...receipt, ...change })),
    }
    return () => {
      this.#blocks[number] = right
    }
  }
}
