import { bytesList } from '../../../store/sql-literals.ts'
import type { Database } from '../../../store/database.ts'
import { cb58 } from '../../../../protocol/ids/text.ts'
import { oddInput, type OddThing } from '../../../primary/odd-history.ts'
import type { L1Validator, Place, Spend, Staker, Subnet, UtxoRow } from './model.ts'
import { addPendingImports, lockImports, type PendingImport, takePendingImports } from './pending-imports.ts'
import { bytesOfKey, type Cell, keyOf, quickKeyOf, Rows } from './rows.ts'
import { markSpent, readKnown, readSpent, type SpentBy } from './spends.ts'
import { type BatchTable, copyColumns, l1Cells, stakerCells, subnetCells, utxoCells } from './tables.ts'

/** A transaction of the batch, with the addresses that it involves. */
export type TxRecord = Place & { readonly typeId: number; readonly addresses: Set<string> }

/** A UTXO from before the batch that a transaction of the batch spends. */
type OldSpend = {
  readonly utxoId: Uint8Array
  readonly spend: Spend
  readonly record: TxRecord | undefined
  readonly missing: Missing | undefined
}

/**
 * What to do about a UTXO that the store lacks: wait for the export of another chain, or create its row,
 * already spent, with a function. Without either, the input spends nothing, and is listed as odd.
 */
export type Missing = Exported | (() => UtxoRow | undefined)

/** The key of the chain that exports a UTXO imported by another chain. */
export type Exported = { readonly exportedBy: number }

/** Tables with a row of a transaction. */
export type OnceTable = 'assets' | 'blockchains'

/** What the rules of the chains add their rows to: a batch for the store, or the files of a lake. */
export type RowSink = Pick<
  Batch,
  | 'add'
  | 'transaction'
  | 'record'
  | 'create'
  | 'spend'
  | 'staker'
  | 'restake'
  | 'subnet'
  | 'l1Validator'
  | 'odd'
  | 'once'
>

/**
 * The rows of some consecutive blocks of one chain, written in one transaction. A UTXO that is created and
 * spent within the batch is written once.
 */
export class Batch {
  readonly #chain: number
  readonly #rows = new Map<BatchTable, Rows>()
  readonly #created = new Map<string, UtxoRow>()
  /** UTXOs that this chain exports, by home and id. */
  readonly #others = new Map<string, UtxoRow>()
  /** Transactions by id, with the place of the first of each. */
  readonly #transactions = new Map<string, { readonly id: Uint8Array } & Pick<Place, 'height' | 'index'>>()
  readonly #once: { readonly table: OnceTable; readonly txKey: string; readonly cells: readonly Cell[] }[] =
    []
  readonly #odd = new Map<string, readonly Cell[]>()
  readonly #spends: OldSpend[] = []
  readonly #records: TxRecord[] = []
  readonly #newStakers = new Set<Staker>()
  readonly #stakers = new Set<Staker>()
  /** New end of the stake lock of validators that were renewed. */
  readonly #restaked = new Map<Staker, number>()
  readonly #newSubnets = new Set<Subnet>()
  readonly #subnets = new Set<Subnet>()
  readonly #newL1 = new Set<L1Validator>()
  readonly #l1 = new Set<L1Validator>()
  /** Ids of rows that are replaced whole; undefined before `freeze`. */
  #replaced: Replaced | undefined

  constructor(chain: number) {
    this.#chain = chain
  }

  /** Adds a row to a table. The cells are in column order. */
  add(
    table: Exclude<BatchTable, 'utxos' | 'stakers' | 'subnets' | 'l1_validators' | OnceTable | 'odd_history'>,
    cells: readonly Cell[],
  ): void {
    this.#rowsOf(table).add(cells)
  }

  /** Adds a transaction's row. Its addresses are written once all of them are known. */
  transaction(
    place: Place,
    tx: { readonly id: Uint8Array; readonly typeId: number; readonly bytes: Uint8Array },
    utxoCount: number,
  ): void {
    const { height, index, ts } = place
    this.add('primary_transactions', [this.#chain, height, index, ts, tx.id, tx.typeId, tx.bytes, utxoCount])
    const key = quickKeyOf(tx.id)
    const first = this.#transactions.get(key)
    if (first) this.#repeats(place, first.height)
    else this.#transactions.set(key, { id: tx.id, height, index })
  }

  /** Adds a row that its transaction makes only once, even if it is accepted again. */
  once(table: OnceTable, txId: Uint8Array, cells: readonly Cell[]): void {
    this.#once.push({ table, txKey: quickKeyOf(txId), cells })
  }

  /** Lists what today's rules would refuse, at its transaction's place or that of the block (index -1). */
  odd({ height, index }: Pick<Place, 'height' | 'index'>, kind: OddThing['kind'], detail: string): void {
    this.#odd.set(`${height} ${index} ${kind} ${detail}`, [this.#chain, height, index, kind, detail])
  }

  /** How many odd things it lists. */
  get oddCount(): number {
    return this.#odd.size
  }

  #repeats(place: Pick<Place, 'height' | 'index'>, height: number): void {
    this.odd(place, 'repeated', `first in block ${height}`)
  }

  /** Creates the address list of a transaction. */
  record(place: Place, typeId: number): TxRecord {
    const record = {
      height: place.height,
      index: place.index,
      ts: place.ts,
      typeId,
      addresses: new Set<string>(),
    }
    this.#records.push(record)
    return record
  }

  /** Adds a UTXO and adds its owners to the record's addresses. */
  create(row: UtxoRow, record: TxRecord | undefined): void {
    // The first of two equal ones counts: its transaction was accepted again.
    const key = quickKeyOf(row.utxoId)
    if (row.home !== this.#chain) {
      const exported = `${row.home} ${key}`
      if (!this.#others.has(exported)) this.#others.set(exported, row)
    } else if (!this.#created.has(key)) this.#created.set(key, row)
    for (const owner of row.owners) record?.addresses.add(keyOf(owner))
  }

  /** Spends a UTXO of this chain and adds its owners to the record's addresses. */
  spend(utxoId: Uint8Array, spend: Spend, record: TxRecord | undefined, missing?: Missing): void {
    const row = this.#created.get(quickKeyOf(utxoId))
    if (!row) {
      this.#spends.push({ utxoId, spend, record, missing })
      return
    }
    for (const owner of row.owners) record?.addresses.add(keyOf(owner))
    if (row.spent) this.#spentAgain(utxoId, spend, row.spent)
    else row.spent = spend
  }

  /** Adds a staker that is new or whose row changed. */
  staker(staker: Staker, isNew = false): void {
    this.#stakers.add(staker)
    if (isNew) this.#newStakers.add(staker)
  }

  /** Records that an auto-renewed validator was renewed: its stake stays locked until its new period ends. */
  restake(staker: Staker): void {
    this.#restaked.set(staker, staker.end)
  }

  subnet(subnet: Subnet, isNew = false): void {
    this.#subnets.add(subnet)
    if (isNew) this.#newSubnets.add(subnet)
  }

  l1Validator(validator: L1Validator, isNew = false): void {
    this.#l1.add(validator)
    if (isNew) this.#newL1.add(validator)
  }

  /**
   * Serializes the rows that later blocks may change: stakers, subnets and L1 validators. After that, those
   * blocks may be applied while the batch is written.
   */
  freeze(): void {
    if (this.#replaced) return
    const chain = this.#chain
    for (const each of this.#stakers) this.#rowsOf('stakers').add(stakerCells(chain, each))
    for (const each of this.#subnets) this.#rowsOf('subnets').add(subnetCells(chain, each))
    for (const each of this.#l1) this.#rowsOf('l1_validators').add(l1Cells(chain, each))
    const oldOf = <Row>(rows: ReadonlySet<Row>, added: ReadonlySet<Row>, keyOfRow: (row: Row) => string) =>
      [...rows].filter((each) => !added.has(each)).map((each) => bytesOfKey(keyOfRow(each)))
    this.#replaced = {
      stakers: oldOf(this.#stakers, this.#newStakers, ({ txId }) => txId),
      subnets: oldOf(this.#subnets, this.#newSubnets, ({ subnet }) => subnet),
      l1: oldOf(this.#l1, this.#newL1, ({ validationId }) => validationId),
    }
  }

  /** Writes everything inside the caller's transaction. */
  async write(sql: Database): Promise<void> {
    this.freeze()
    await this.#dropRepeated(sql)
    await this.#writeAll(sql)
    const rows = this.#rowsOf('odd_history')
    for (const cells of this.#odd.values()) rows.add(cells)
    await this.#copy(sql)
  }

  /**
   * A transaction that an earlier block contained makes nothing again: its outputs and its asset are those of the first
   * time. What it spends is spent already.
   */
  async #dropRepeated(sql: Database): Promise<void> {
    const ids = [...this.#transactions.values()].map(({ id }) => id)
    const repeated = ids.length === 0 ? new Map<string, number>() : await readKnown(sql, this.#chain, ids)
    for (const [key, height] of repeated) {
      const place = this.#transactions.get(key)
      if (place) this.#repeats(place, height)
    }
    const isRepeated = ({ txId, rewardType }: UtxoRow): boolean =>
      rewardType === undefined && repeated.has(quickKeyOf(txId))
    if (repeated.size > 0) {
      for (const [key, row] of this.#created) {
        if (!isRepeated(row)) continue
        this.#created.delete(key)
        const { spent, utxoId } = row
        if (spent) this.#spends.push({ utxoId, spend: spent, record: undefined, missing: undefined })
      }
      for (const [key, row] of this.#others) if (isRepeated(row)) this.#others.delete(key)
    }
    const made = new Set(repeated.keys())
    for (const { table, txKey, cells } of this.#once) {
      if (made.has(txKey)) continue
      made.add(txKey)
      this.#rowsOf(table).add(cells)
    }
  }

  async #writeAll(sql: Database): Promise<void> {
    const imports = this.#spends.filter(isImport)
    const importing = new Set(imports.map(({ record }) => record))
    await this.#spendOld(
      sql,
      this.#spends.filter((each) => !isImport(each)),
    )
    await this.#dropReplaced(sql)
    this.#addAddresses(this.#records.filter((record) => !importing.has(record)))
    for (const row of this.#created.values()) this.#addUtxo(row)
    await this.#copy(sql)
    await this.#holdStakes(sql)
    const others = [...this.#others.values()]
    if (imports.length === 0 && others.length === 0) return
    // Locks only the parts that must not run concurrently with other chains, to keep waits short.
    await lockImports(sql, [...(imports.length > 0 ? [this.#chain] : []), ...others.map(({ home }) => home)])
    await this.#spendOld(sql, imports)
    await takePendingImports(
      sql,
      others.filter(({ spent }) => !spent),
    )
    this.#addAddresses([...importing].filter((record) => record !== undefined))
    for (const row of this.#others.values()) this.#addUtxo(row)
    await this.#copy(sql)
  }

  #rowsOf(table: BatchTable): Rows {
    const found = this.#rows.get(table)
    if (found) return found
    const made = new Rows(copyColumns[table])
    this.#rows.set(table, made)
    return made
  }

  #addAddresses(records: readonly TxRecord[]): void {
    const rows = this.#rowsOf('primary_address_transactions')
    for (const { height, index, ts, typeId, addresses } of records) {
      for (const address of addresses) {
        rows.add([this.#chain, bytesOfKey(address), height, index, typeId, ts])
      }
    }
  }

  #addUtxo(row: UtxoRow): void {
    this.#rowsOf('utxos').add(utxoCells(row))
    if (row.owners.length < 2) return
    const [first, ...others] = new Set(row.owners.map(keyOf))
    if (first === undefined) return
    const { home, height, index, outputIndex } = row
    for (const owner of others) {
      this.add('utxo_co_owners', [row.chain, bytesOfKey(owner), home, height, index, outputIndex])
    }
  }

  /** Writes the rows that were added since the last call. */
  async #copy(sql: Database): Promise<void> {
    const filled = [...this.#rows]
    this.#rows.clear()
    for (const [table, rows] of filled) {
      await rows.copy(sql, table)
    }
  }

  /**
   * Marks UTXOs from before the batch as spent and adds their owners. Of several inputs that spend one UTXO, the first
   * counts.
   */
  async #spendOld(sql: Database, spends: readonly OldSpend[]): Promise<void> {
    const firsts = new Map<string, OldSpend>()
    const again: OldSpend[] = []
    for (const each of spends.toSorted(inOrder)) {
      const key = quickKeyOf(each.utxoId)
      if (firsts.has(key)) again.push(each)
      else firsts.set(key, each)
    }
    const first = [...firsts.values()]
    const owners = await markSpent(sql, this.#chain, first)
    const left: OldSpend[] = []
    for (const [place, each] of first.entries()) {
      const found = owners.get(place)
      if (found) for (const owner of found) each.record?.addresses.add(owner)
      else left.push(each)
    }
    // Nearly always empty: UTXOs that were spent before, that wait for their export, or that nobody made.
    const spent = await readSpent(sql, this.#chain, [...left, ...again])
    const pending: PendingImport[] = []
    for (const each of left) {
      const { utxoId, spend, record, missing } = each
      const by = spent.get(quickKeyOf(utxoId))
      if (by) {
        this.#noteSpent(each, by)
        continue
      }
      if (typeof missing === 'object' && record) {
        pending.push({ utxoId, source: missing.exportedBy, typeId: record.typeId, spend })
        continue
      }
      const row = typeof missing === 'function' ? missing() : undefined
      if (row) this.create(row, record)
      else this.odd(spend, 'neverMade', oddInput(spend.input, utxoId))
    }
    for (const each of again) {
      const by = spent.get(quickKeyOf(each.utxoId))
      const earlier = firsts.get(quickKeyOf(each.utxoId))?.spend
      if (by) this.#noteSpent(each, by)
      else if (earlier) this.#spentAgain(each.utxoId, each.spend, earlier)
    }
    await addPendingImports(sql, this.#chain, pending)
  }

  #noteSpent({ utxoId, spend, record }: OldSpend, { owners, ...by }: SpentBy): void {
    for (const owner of owners) record?.addresses.add(owner)
    this.#spentAgain(utxoId, spend, by)
  }

  #spentAgain(utxoId: Uint8Array, spend: Spend, by: Pick<Spend, 'txId' | 'height'>): void {
    const earlier = `spent by ${cb58(by.txId)} in block ${by.height}`
    this.odd(spend, 'spentAgain', `${oddInput(spend.input, utxoId)}, ${earlier}`)
  }

  /** The stake outputs of a renewed validator are those of its staking transaction. */
  async #holdStakes(sql: Database): Promise<void> {
    for (const [{ height, index }, until] of this.#restaked) {
      await sql`
        update utxos set staked_until = ${until}
        where chain = ${this.#chain} and height = ${height} and tx_index = ${index} and staked_from is not null`
    }
  }

  /** Deletes the changed rows of these tables, because they are replaced whole. */
  async #dropReplaced(sql: Database): Promise<void> {
    const { stakers = [], subnets = [], l1 = [] } = this.#replaced ?? {}
    if (stakers.length > 0)
      await sql`delete from stakers where tx_id in (select unnest(${bytesList(stakers)}::text::bytea[]))`
    if (subnets.length > 0) {
      await sql`delete from subnets where chain = ${this.#chain} and subnet in (select unnest(${bytesList(subnets)}::text::bytea[]))`
    }
    if (l1.length > 0)
      await sql`delete from l1_validators where validation_id in (select unnest(${bytesList(l1)}::text::bytea[]))`
  }
}

/** Ids of changed rows, by table. */
type Replaced = {
  readonly stakers: readonly Uint8Array[]
  readonly subnets: readonly Uint8Array[]
  readonly l1: readonly Uint8Array[]
}

const isImport = ({ missing }: OldSpend): boolean => typeof missing === 'object'

const inOrder = ({ spend: a }: OldSpend, { spend: b }: OldSpend): number =>
  a.height - b.height || a.index - b.index || a.input - b.input
