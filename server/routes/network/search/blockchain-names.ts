import type { Database } from '../../../store/database.ts'
import { readBlockchainNames, type NamedChainRow } from '../../../store/network/read-search-primary.ts'

export type NamedBlockchain = Pick<NamedChainRow, 'chain' | 'blockchain_id' | 'subnet' | 'name'>

type Known = { readonly rows: readonly NamedChainRow[]; readonly readAt: number }

const start = { height: -2n, index: -1 }
/** Milliseconds after which new blockchains are looked for. */
const fresh = 5_000

/**
 * The names of all blockchains of the primary networks, kept in memory: a network has a few thousand, and they
 * never change. Accepted blocks are final, so only new ones are read.
 */
export class BlockchainNames {
  readonly #known = new Map<number, Known>()
  readonly #clock: () => number

  /** `clock` gives milliseconds. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** The blockchains of the networks, newest first. */
  async load(database: Database, chains: readonly number[]): Promise<readonly NamedBlockchain[]> {
    const found: NamedBlockchain[] = []
    for (const chain of chains) found.push(...(await this.#of(database, chain)))
    return found
  }

  async #of(database: Database, chain: number): Promise<readonly NamedChainRow[]> {
    const known = this.#known.get(chain)
    if (known && this.#clock() - known.readAt < fresh) return known.rows
    const added = await readBlockchainNames(database, chain, known?.rows[0] ?? start)
    const rows = [...added.toReversed(), ...(known?.rows ?? [])]
    this.#known.set(chain, { rows, readAt: this.#clock() })
    return rows
  }
}
