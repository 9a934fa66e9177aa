import { columnsOf, type CatalogueColumn, type ColumnKind } from '../store/columns.ts'
import { evmTableNames, evmTables, type EvmTableName } from '../store/evm/columns.ts'

/**
 * The layout of a lake: sealed ranges of blocks as Parquet files, which any engine can read. docs/lake.md
 * describes it for analysts.
 *
 *     <root>/<chain>/<table>/<from>-<to>.parquet
 *     <root>/<chain>/manifests/<from>-<to>.json
 *
 * `chain` is the EVM chain id, and `from` and `to` are block heights, inclusive, padded to ten digits so that
 * names sort by height. A range exists if its manifest exists: the manifest is written last.
 */

/** The version of this layout; a manifest of another version is refused. */
export const lakeSchemaVersion = 3

/**
 * How the lake has a kind of column:
 *
 * - `word`: DECIMAL(20, 0), because engines disagree on unsigned integers.
 * - `amount`: decimal text. No type that Parquet, DuckDB, Spark and Trino share holds 256 bits exactly (DECIMAL ends at
 *   38 digits), and contracts choose such amounts freely. Amounts of the chain's coin fit DECIMAL(38, 0): cast them
 *   before adding up.
 * - `hex`: lower-case 0x text. It joins with what explorers, nodes and people write, a filter on a literal reaches
 *   Parquet's statistics and bloom filters without a function around the column, and zstd reduces it to about the size
 *   of the bytes.
 * - `id`, `node`, `ids`: CB58 (`NodeID-…`), as wallets and nodes write them; `address` and `addresses` are in bech32.
 * - `chain`: P, X or C.
 */
export const columnTypes = {
  height: 'BIGINT',
  seconds: 'BIGINT',
  gas: 'BIGINT',
  integer: 'INTEGER',
  small: 'SMALLINT',
  boolean: 'BOOLEAN',
  word: 'DECIMAL(20, 0)',
  difference: 'DECIMAL(21, 0)',
  amount: 'VARCHAR',
  hex: 'VARCHAR',
  id: 'VARCHAR',
  node: 'VARCHAR',
  address: 'VARCHAR',
  ids: 'VARCHAR[]',
  addresses: 'VARCHAR[]',
  chain: 'VARCHAR',
  text: 'VARCHAR',
  json: 'VARCHAR',
} as const satisfies Record<ColumnKind, string>

/** A column of a file. */
export type LakeColumn = Pick<CatalogueColumn, 'name' | 'kind'>

/**
 * The tables of an EVM chain with their columns in order, by the catalogue. Rows are sorted by a table's key, so statistics
 * prune by height and by time.
 */
export const lakeTables = Object.fromEntries(
  evmTableNames.map((table): [string, readonly LakeColumn[]] => [table, columnsOf(evmTables[table])]),
) as Readonly<Record<LakeTable, readonly LakeColumn[]>>

export type LakeTable = EvmTableName
export const lakeTableNames: readonly LakeTable[] = evmTableNames

/** The names of a table's columns. */
export type LakeColumnName<Table extends LakeTable> = keyof (typeof evmTables)[Table]['columns']
