import { bytesList } from '../../../store/sql-literals.ts'
import type { Database } from '../../../store/database.ts'
import { copyRows } from '../../../store/copy.ts'
import { FatalError } from '../../../kernel/errors.ts'
import type { L1Validator, Place, Spend, Staker, Subnet, UtxoRow } from './model.ts'
import { addPendingImports, lockImports, type PendingImport, takePendingImports } from './pending-imports.ts'
import { bytesOfKey, type Cell, keyOf, quickKeyOf, Rows } from './rows.ts'
import { markSpent } from './spends.ts'
import { type BatchTable, l1Cells, stakerCells, subnetCells, tableColumns, utxoCells } from './tables.ts'

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
 * already spent, with a function. Without either, a missing UTXO is an error.
 */
export type Missing = Exported | (() => UtxoRow | undefined)

/** The key of the chain that exports a UTXO imported by another chain. */
export type Exported = { readonly exportedBy: number }

/** What the rules of the chains add their rows to: a batch for the store, or the files of a lake. */
export type RowSink = Pick<
  Batch,
  'add' | 'transaction' | 'record' | 'create' | 'spend' | 'staker' | 'restake' | 'subnet' | 'l1Validator'
>

/**
 * The rows of some consecutive blocks of one chain, written in one transaction. A UTXO that is created and
 * spent within the batch is written once.
 */
export class Batch {
  readonly #chain: number
  readonly #rows = new Map<BatchTable, Rows>()
  readonly #created = new Map<string, UtxoRow>()
  readonly #others: UtxoRow[] = []
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
    table: Exclude<BatchTable, 'utxos' | 'stakers' | 'subnets' | 'l1_validators'>,
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
    if (row.home === this.#chain) this.#created.set(quickKeyOf(row.utxoId), row)
    else this.#others.push(row)
    for (const owner of row.owners) record?.addresses.add(keyOf(owner))
  }

  /** Spends a UTXO of this chain and adds its owners to the record's addresses. */
  spend(utxoId: Uint8Array, spend: Spend, record: TxRecord | undefined, missing?: Missing): void {
    const row = this.#created.get(quickKeyOf(utxoId))
    if (!row) {
      this.#spends.push({ utxoId, spend, record, missing })
      return
    }
    if (row.spent)
      throw new FatalError(`UTXO ${keyOf(utxoId)} is spent twice: the node's blocks contradict each other`)
    row.spent = spend
    for (const owner of row.owners) record?.addresses.add(keyOf(owner))
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

  /** Writes everything inside the caller's transaction. Throws FatalError if a UTXO is missing. */
  async write(sql: Database): Promise<void> {
    this.freeze()
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
    if (imports.length === 0 && this.#others.length === 0) return
    // Locks only the parts that must not run concurrently with other chains, to keep waits short.
    await lockImports(sql, [
      ...(imports.length > 0 ? [this.#chain] : []),
      ...this.#others.map(({ home }) => home),
    ])
    await this.#spendOld(sql, imports)
    await takePendingImports(
      sql,
      this.#others.filter(({ spent }) => !spent),
    )
    this.#addAddresses([...importing].filter((record) => record !== undefined))
    for (const row of this.#others) this.#addUtxo(row)
    await this.#copy(sql)
  }

  #rowsOf(table: BatchTable): Rows {
    const found = this.#rows.get(table)
    if (found) return found
    const made = new Rows(tableColumns[table])
    this.#rows.set(table, made)
    return made
  }

  #addAddresses(records: readonly TxRecord[]): void {
    const rows = this.#rowsOf('primary_address_transactions')
    for (const { height, index, ts, typeId, addresses } of records) {
      for (const address of addresses) {
        rows.add([bytesOfKey(address), this.#chain, height, index, typeId, ts])
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
      this.add('utxo_co_owners', [bytesOfKey(owner), home, row.chain, height, index, outputIndex])
    }
  }

  /** Writes the rows that were added since the last call. */
  async #copy(sql: Database): Promise<void> {
    const filled = [...this.#rows]
    this.#rows.clear()
    for (const [table, rows] of filled) {
      await copyRows(sql, table, tableColumns[table].names, rows.done(), 'binary')
    }
  }

  /** Marks UTXOs from before the batch as spent and adds their owners. */
  async #spendOld(sql: Database, spends: readonly OldSpend[]): Promise<void> {
    const owners = await markSpent(sql, this.#chain, spends)
    const pending: PendingImport[] = []
    for (const [place, { utxoId, spend, record, missing }] of spends.entries()) {
      const found = owners.get(place)
      if (found) {
        for (const each of found) record?.addresses.add(each)
        continue
      }
      if (typeof missing === 'object' && record) {
        pending.push({ utxoId, source: missing.exportedBy, typeId: record.typeId, spend })
        continue
      }
      const row = typeof missing === 'function' ? missing() : undefined
      if (!row) {
        throw new FatalError(
          `UTXO ${keyOf(utxoId)} is spent at height ${spend.height} and is not in the store`,
        )
      }
      this.create(row, record)
    }
    await addPendingImports(sql, this.#chain, pending)
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
