/**
 * The form of the catalogues of tables: those of EVM chains in `evm/columns.ts`, those of the primary network in
 * `primary/columns.ts`. The lake's files, the rows that are copied into PostgreSQL, the tables of SQL and exports follow
 * from them. The definitions of PostgreSQL's tables (`schema/`) are their own, with indexes and sums; a test compares the
 * columns. The checks of `verify` read the store by names of their own.
 */

/**
 * The type of a column, chosen once for all tables:
 *
 * - `height`, `seconds` (Unix, UTC), `gas`, `integer`, `small`, `boolean`: integers of a fixed width.
 * - `word`: an unsigned 64-bit integer.
 * - `difference`: of two words.
 * - `amount`: an unsigned 256-bit integer.
 * - `hex`: bytes.
 * - `id`, `node`, `address`: ids of the primary network and its addresses; `ids` and `addresses` are lists of them.
 * - `chain`: a chain of the primary network.
 * - `text`: UTF-8 text. `json`: JSON text with sorted keys.
 *
 * A kind with a question mark may be null.
 */
export type ColumnKind = keyof typeof storedTypes

/** PostgreSQL's type of each kind. */
export const storedTypes = {
  height: 'bigint',
  seconds: 'bigint',
  gas: 'bigint',
  integer: 'integer',
  small: 'smallint',
  boolean: 'boolean',
  word: 'numeric',
  difference: 'numeric',
  amount: 'numeric',
  hex: 'bytea',
  id: 'bytea',
  node: 'bytea',
  address: 'bytea',
  ids: 'bytea[]',
  addresses: 'bytea[]',
  // By number (primary/chains.ts).
  chain: 'smallint',
  text: 'text',
  json: 'text',
} as const

export type StoredType = (typeof storedTypes)[keyof typeof storedTypes]

/** A column: its kind and, if SQL and exports show it, its meaning; empty if the name says all. */
type Column = readonly [kind: ColumnKind | `${ColumnKind}?`, meaning?: string]

/** A table of a catalogue, its columns in order. Its rows have the chain besides. */
export type Table = {
  /** The order of the rows, and what identifies one, within a chain; a test compares those of exports with it. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, Column>>
  /** Columns of the lake that the table in PostgreSQL lacks: they follow from other rows, or the node is asked. */
  readonly notStored?: readonly string[]
}

/** A column of a table, as the catalogue has it. */
export type CatalogueColumn = {
  readonly name: string
  readonly kind: ColumnKind
  readonly isNullable: boolean
  /** Undefined if SQL and exports do not show it. */
  readonly meaning: string | undefined
  readonly isStored: boolean
}

/** The columns of a table, in order. */
export function columnsOf({ columns, notStored = [] }: Table): CatalogueColumn[] {
  return Object.entries(columns).map(([name, [kind, meaning]]) => ({
    name,
    kind: kind.replace('?', '') as ColumnKind,
    isNullable: kind.endsWith('?'),
    meaning,
    isStored: !notStored.includes(name),
  }))
}

/** Columns of PostgreSQL with their types, in order. */
export type StoredColumns = Readonly<Record<string, StoredType>>

/** The columns that a table has in PostgreSQL behind its chain. */
export const storedColumns = (table: Table): StoredColumns =>
  Object.fromEntries(
    columnsOf(table).flatMap(({ name, kind, isStored }) => (isStored ? [[name, storedTypes[kind]]] : [])),
  )
