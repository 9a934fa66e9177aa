import { addressText, cb58, hexText, nodeIdText } from '../../../protocol/ids/text.ts'
import type { Missing, OnceTable, RowSink, TxRecord } from '../../indexer/primary/batch/batch.ts'
import type { Place, Spend, Staker, UtxoRow } from '../../indexer/primary/batch/model.ts'
import { bytesOfKey, type Cell, quickKeyOf } from '../../indexer/primary/batch/rows.ts'
import { copyColumns, stakerCells, utxoCells, type BatchTable } from '../../indexer/primary/batch/tables.ts'
import { aliasOfKey } from '../../primary/chains.ts'
import type { ColumnKind } from '../../store/columns.ts'
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

  /** Begins a block: the rows that follow are its. `merkleRoot` is that of an X-Chain block. */
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

  /** Adds a row of the block by the cells of its columns; further ones are left out. */
  row(table: string, cells: Readonly<Record<string, Cell>>): void {
    const placed: typeof cells = { ...cells, number: this.#number }
    const texts = (this.#columns.get(table) ?? []).map(({ name, kind }) => {
      if (!(name in placed)) throw new Error(`${table}: a row has no ${name}`)
      return this.#text(kind, placed[name])
    })
    this.#rows[table] += line(...texts)
    this.#counts[table] = (this.#counts[table] ?? 0) + 1
  }

  add(table: Parameters<RowSink['add']>[0] | OnceTable, cells: readonly Cell[]): void {
    if (table === 'primary_blocks')
      this.row('blocks', { ...byName(table, cells), merkle_root: this.#merkleRoot })
    // The lake leaves some out: subnets, blockchains, L1 validators.
    else if (this.#columns.has(table)) this.row(table, byName(table, cells))
  }

  transaction(
    { index, ts }: Place,
    { id, typeId, bytes }: { id: Uint8Array; typeId: number; bytes: Uint8Array },
  ): void {
    this.row('transactions', { index, ts, id, type: typeId, bytes })
  }

  record({ height, index, ts }: Place, typeId: number): TxRecord {
    this.#ts = ts
    return { height, index, ts, typeId, addresses: new Set() }
  }

  create(row: UtxoRow): void {
    const key = quickKeyOf(row.utxoId)
    if (row.home === chainKeys[this.#chainAlias]) this.#unspent.add(key)
    this.row('utxos', { ...byName('utxos', utxoCells(row)), owners: row.owners })
  }

  spend(utxoId: Uint8Array, spend: Spend, _record: TxRecord | undefined, other?: Missing): void {
    const key = quickKeyOf(utxoId)
    const isImport = typeof other === 'object'
    // Accepted history spends some UTXOs twice (docs/indexer.md, "Accepted history"); the first time counts.
    if (isImport ? this.#imported.has(key) : !this.#unspent.delete(key)) return
    if (isImport) this.#imported.add(key)
    const source = isImport ? other.exportedBy : chainKeys[this.#chainAlias]
    const { height, index, input, ts, txId } = spend
    this.row('spends', { height, tx_index: index, input, ts, tx_id: txId, utxo_id: utxoId, source })
  }

  staker(staker: Staker, isNew = false): void {
    if (staker.ended) this.#ended.add(staker)
    if (isNew) this.row('stakes', { ...byName('stakers', stakerCells(0, staker)), ts: this.#ts })
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
    this.row('stake_ends', {
      height: ended.height,
      index: ended.hasIndex ? ended.index : -1,
      ts: ended.ts,
      tx_id: bytesOfKey(staker.txId),
      ended_tx: ended.txId,
      outcome,
      start_ts: staker.start,
      end_ts: staker.end,
      weight: staker.weight,
      potential_reward: staker.potentialReward,
      reward: staker.reward,
      delegation_reward: staker.delegationReward,
    })
  }

  #clear(): void {
    this.#rows = Object.fromEntries([...this.#columns.keys()].map((table) => [table, '']))
    this.#counts = Object.fromEntries([...this.#columns.keys()].map((table) => [table, 0]))
  }

  #text(kind: ColumnKind, cell: Cell): Value {
    if (cell === undefined || cell === null) return undefined
    if (Array.isArray(cell)) {
      const list = cell as readonly Uint8Array[]
      const text = kind === 'addresses' ? (each: Uint8Array) => addressText(each, this.#prefix) : cb58
      return `[${list.map(text).join(', ')}]`
    }
    if (cell instanceof Uint8Array) {
      if (kind === 'hex') return hexText(cell)
      return kind === 'node' ? nodeIdText(cell) : cb58(cell)
    }
    if (kind === 'chain') return aliasOfKey(Number(cell))
    return kind === 'text' && typeof cell === 'string' ? quoted(cell) : (cell as Value)
  }
}

/** The cells of a row of the store by their columns. */
function byName(table: BatchTable, cells: readonly Cell[]): Record<string, Cell> {
  const names = Object.keys(copyColumns[table])
  if (names.length !== cells.length) throw new Error(`${table}: a row has ${cells.length} cells`)
  return Object.fromEntries(names.map((name, place) => [name, cells[place]]))
}
