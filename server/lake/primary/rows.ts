import { chainAliases, type ChainAlias } from '../../../protocol/primary/chains.ts'
import { addressText, cb58, hexText, nodeIdText } from '../../../protocol/ids/text.ts'
import type { Missing, OnceTable, RowSink, TxRecord } from '../../indexer/primary/batch/batch.ts'
import type { Place, Spend, Staker, UtxoRow } from '../../indexer/primary/batch/model.ts'
import { bytesOfKey, type Cell, quickKeyOf } from '../../indexer/primary/batch/rows.ts'
import { stakerCells, utxoCells } from '../../indexer/primary/batch/tables.ts'
import { line, quoted, type Value } from '../rows.ts'
import type { LakeColumn } from '../tables.ts'
import { layoutOf, type PrimaryLakeChain } from './tables.ts'

/** The chains as the rules' rows number them. */
export const chainKeys = { P: 1, X: 2, C: 3 } as const

/** The rows that one block made: text by table, one line each, and how many. */
export type BlockText = {
  readonly rows: Readonly<Record<string, string>>
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Takes the rows of the rules in the form of the files, block by block, and knows which UTXOs are unspent: an input that
 * spends none is left out, as in the store. Those that another chain made are taken as given, once each.
 */
export class PrimaryRows implements RowSink {
  readonly #chainAlias: PrimaryLakeChain
  readonly #columns: ReadonlyMap<string, readonly LakeColumn[]>
  readonly #prefix: string
  readonly #unspent = new Set<string>()
  readonly #imported = new Set<string>()
  readonly #ended = new Set<Staker>()
  #number = 0
  #merkleRoot: Uint8Array | undefined
  /** The time of the transaction that is applied. */
  #ts = 0
  #rows: Record<string, string> = {}
  #counts: Record<string, number> = {}

  constructor(chainAlias: PrimaryLakeChain, prefix: string) {
    this.#chainAlias = chainAlias
    this.#prefix = prefix
    this.#columns = new Map(Object.entries(layoutOf(chainAlias)))
    this.#clear()
  }

  /** Begins a block: the rows that follow are its. `merkleRoot` is that of an X-chain block. */
  begin(number: number, merkleRoot?: Uint8Array): void {
    this.#number = number
    this.#merkleRoot = merkleRoot
  }

  /** The rows since the last call. */
  take(): BlockText {
    for (const staker of this.#ended) this.#addEnd(staker)
    this.#ended.clear()
    const taken = { rows: this.#rows, counts: this.#counts }
    this.#clear()
    return taken
  }

  /** Adds a row, its cells in the order of the columns. */
  row(table: string, cells: readonly Cell[]): void {
    const columns = this.#columns.get(table)
    if (columns?.length !== cells.length) throw new Error(`${table}: a row has ${cells.length} cells`)
    this.#rows[table] += line(...cells.map((cell, place) => this.#text(columns[place]?.[1] ?? 'text', cell)))
    this.#counts[table] = (this.#counts[table] ?? 0) + 1
  }

  add(table: Parameters<RowSink['add']>[0] | OnceTable, cells: readonly Cell[]): void {
    if (table === 'primary_blocks') return this.#block(cells)
    // Tables that the lake leaves out: subnets, blockchains, L1 validators.
    if (!this.#columns.has(table)) return
    // A vertex has its height in a column of its own.
    this.row(table, [this.#number, ...cells.slice(1)])
  }

  /** The store's cells: eight that both chains have, four of the P-chain, five of the proposer. */
  #block(cells: readonly Cell[]): void {
    const own = this.#chainAlias === 'P' ? cells.slice(8, 12) : [this.#merkleRoot]
    this.row('blocks', [...cells.slice(1, 8), ...own, ...cells.slice(12)])
  }

  transaction(place: Place, tx: { id: Uint8Array; typeId: number; bytes: Uint8Array }): void {
    this.row('transactions', [place.height, place.index, place.ts, tx.id, tx.typeId, tx.bytes])
  }

  record({ height, index, ts }: Place, typeId: number): TxRecord {
    this.#ts = ts
    return { height, index, ts, typeId, addresses: new Set() }
  }

  create(row: UtxoRow): void {
    const key = quickKeyOf(row.utxoId)
    if (row.home === chainKeys[this.#chainAlias]) this.#unspent.add(key)
    const cells = utxoCells(row)
    const [made, rest] = [cells.slice(1, 7), cells.slice(8, 14)]
    // The store has the first owner apart; what follows the reward's type is the spending.
    const more = cells.slice(16, 21)
    this.row('utxos', [this.#number, ...made, aliasOf(row.home), ...rest, row.owners, ...more])
  }

  spend(utxoId: Uint8Array, spend: Spend, _record: TxRecord | undefined, other?: Missing): void {
    const key = quickKeyOf(utxoId)
    const isImport = typeof other === 'object'
    // Accepted history spends some UTXOs twice (docs/indexer.md, "Accepted history"); the first time counts.
    if (isImport ? this.#imported.has(key) : !this.#unspent.delete(key)) return
    if (isImport) this.#imported.add(key)
    const source = isImport ? aliasOf(other.exportedBy) : this.#chainAlias
    const { height, index, input, ts, txId } = spend
    this.row('spends', [this.#number, height, index, input, ts, txId, utxoId, source])
  }

  staker(staker: Staker, isNew = false): void {
    if (staker.ended) this.#ended.add(staker)
    if (!isNew) return
    // What follows the owners of rewards changes while the stake runs.
    const [height, index, ...cells] = stakerCells(0, staker).slice(1, 16)
    this.row('stakes', [this.#number, height, index, this.#ts, ...cells])
  }

  once(table: OnceTable, _txId: Uint8Array, cells: readonly Cell[]): void {
    this.add(table, cells)
  }

  // The lake leaves these out: a renewed stake is in `staking_cycles`, the others follow from the transactions.
  odd(): void {}
  restake(): void {}
  subnet(): void {}
  l1Validator(): void {}

  #addEnd(staker: Staker): void {
    const { ended, outcome } = staker
    if (!ended || !outcome) return
    this.row('stake_ends', [
      this.#number,
      ended.height,
      ended.hasIndex ? ended.index : -1,
      ended.ts,
      bytesOfKey(staker.txId),
      ended.txId,
      outcome,
      staker.start,
      staker.end,
      staker.weight,
      staker.potentialReward,
      staker.reward,
      staker.delegationReward,
    ])
  }

  #clear(): void {
    this.#rows = Object.fromEntries([...this.#columns.keys()].map((table) => [table, '']))
    this.#counts = Object.fromEntries([...this.#columns.keys()].map((table) => [table, 0]))
  }

  #text(kind: string, cell: Cell): Value {
    if (cell === undefined || cell === null) return undefined
    if (Array.isArray(cell)) {
      const list = cell as readonly Uint8Array[]
      const text = kind === 'addresses' ? (each: Uint8Array) => addressText(each, this.#prefix) : cb58
      return `[${list.map(text).join(', ')}]`
    }
    if (cell instanceof Uint8Array) {
      if (kind.startsWith('hex')) return hexText(cell)
      return kind.startsWith('node') ? nodeIdText(cell) : cb58(cell)
    }
    return kind === 'text' && typeof cell === 'string' ? quoted(cell) : (cell as Value)
  }
}

function aliasOf(key: number): ChainAlias {
  const chainAlias = chainAliases[key - 1]
  if (chainAlias === undefined) throw new RangeError(`${key} is not a chain of the primary network`)
  return chainAlias
}
