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
export const lakeSchemaVersion = 2

/**
 * The type of a column, chosen once for all tables:
 *
 * - `height`, `seconds` (Unix, UTC), `gas`, `integer`, `small`, `boolean`: integers of a fixed width.
 * - `word`: an unsigned 64-bit integer. DECIMAL(20, 0), because engines disagree on unsigned integers.
 * - `amount`: an unsigned 256-bit integer as decimal text. No type that Parquet, DuckDB, Spark and Trino share
 *   holds 256 bits exactly (DECIMAL ends at 38 digits), and contracts choose such amounts freely. Amounts of
 *   the chain's coin fit DECIMAL(38, 0): cast them before adding up.
 * - `hex`: bytes as lower-case 0x text. It joins with what explorers, nodes and people write, a filter on a
 *   literal reaches Parquet's statistics and bloom filters without a function around the column, and zstd
 *   reduces it to about the size of the bytes.
 * - `id`, `node`: ids of the primary network in CB58 (`NodeID-…`), as wallets and nodes write them; `ids` is a list of
 *   them, and `addresses` one of bech32 addresses.
 * - `text`: UTF-8 text. `json`: JSON text with sorted keys.
 */
export const columnTypes = {
  height: 'BIGINT',
  seconds: 'BIGINT',
  gas: 'BIGINT',
  integer: 'INTEGER',
  small: 'SMALLINT',
  boolean: 'BOOLEAN',
  word: 'DECIMAL(20, 0)',
  amount: 'VARCHAR',
  hex: 'VARCHAR',
  id: 'VARCHAR',
  node: 'VARCHAR',
  ids: 'VARCHAR[]',
  addresses: 'VARCHAR[]',
  text: 'VARCHAR',
  json: 'VARCHAR',
} as const

export type ColumnKind = keyof typeof columnTypes
/** A column's name and kind. A kind with a question mark may be null. */
export type LakeColumn = readonly [name: string, kind: ColumnKind | `${ColumnKind}?`]

/**
 * The tables of an EVM chain with their columns in order. The names are those of the PostgreSQL tables where
 * a table or column exists there. Rows are sorted by the columns of `lakeOrder`, so statistics prune by height
 * and by time. Receipts are columns of `transactions`: a receipt per transaction under the same key, and a
 * column costs nothing in queries that don't read it, but a second table would cost every query a join.
 *
 * Together the tables hold everything that a block's hash commits to, apart from state: `lake verify`
 * recomputes hashes and roots from them, and `lake load` needs no node.
 */
export const lakeTables = {
  blocks: [
    ['number', 'height'],
    ['ts', 'seconds'],
    ['hash', 'hex'],
    ['parent_hash', 'hex'],
    ['miner', 'hex'],
    ['gas_limit', 'word'],
    // What the transactions used: the sum over the receipts if the block was accepted before it was executed.
    ['gas_used', 'gas'],
    ['base_fee', 'amount?'],
    ['block_gas_cost', 'amount?'],
    ['difficulty', 'amount?'],
    ['size', 'integer?'],
    ['tx_count', 'integer'],
    ['log_count', 'integer'],
    // Sum of gas used times effective gas price.
    ['fees', 'amount'],
    // Whether the inner calls are known; always true for a block that can't contain any.
    ['traced', 'boolean'],
    ['state_root', 'hex'],
    ['transactions_root', 'hex'],
    ['receipts_root', 'hex'],
    ['extra_data', 'hex'],
    ['nonce', 'hex?'],
    // The atomic transactions of a C-chain block.
    ['ext_data', 'hex?'],
    // The remaining header fields by their JSON-RPC names.
    ['header', 'json'],
  ],
  transactions: [
    ['number', 'height'],
    ['index', 'integer'],
    ['ts', 'seconds'],
    ['type', 'small'],
    // 1 succeeded, 0 failed.
    ['status', 'small'],
    ['hash', 'hex'],
    ['sender', 'hex'],
    ['recipient', 'hex?'],
    // The address of the contract that the transaction itself created, also if it failed.
    ['created', 'hex?'],
    ['value', 'amount'],
    ['nonce', 'word'],
    ['gas_limit', 'word'],
    ['gas_used', 'gas'],
    ['cumulative_gas_used', 'gas'],
    // The effective price.
    ['gas_price', 'amount'],
    ['max_fee', 'amount?'],
    ['max_priority_fee', 'amount?'],
    ['log_count', 'integer'],
    ['input', 'hex'],
    // The signature; `v` is the y parity of a typed transaction. Null if the node does not list it.
    ['v', 'amount?'],
    ['r', 'hex?'],
    ['s', 'hex?'],
    // Fields that few transactions have, by their JSON-RPC names: access list, authorisations, blobs.
    ['extra', 'json?'],
    // Why it failed, by the trace: the error and the output (at most 1,024 bytes) of its own call, and the ordinal of the
    // call in which that began, -1 for its own. Null if it succeeded or was not traced.
    ['error', 'text?'],
    ['output', 'hex?'],
    ['failing_call', 'integer?'],
    // What a transaction with blobs paid for them, beside gas used times gas price.
    ['blob_gas_used', 'gas?'],
    ['blob_gas_price', 'amount?'],
  ],
  logs: [
    ['number', 'height'],
    // Within the block.
    ['index', 'integer'],
    ['ts', 'seconds'],
    ['tx_index', 'integer'],
    ['address', 'hex'],
    ['topic0', 'hex?'],
    ['topic1', 'hex?'],
    ['topic2', 'hex?'],
    ['topic3', 'hex?'],
    ['data', 'hex'],
  ],
  /** Movements of ERC-20, ERC-721 and ERC-1155 tokens, decoded from the logs. */
  token_transfers: [
    ['number', 'height'],
    ['log_index', 'integer'],
    // Within the log: 0, or the item of a batch.
    ['position', 'integer'],
    ['ts', 'seconds'],
    ['tx_index', 'integer'],
    ['token', 'hex'],
    // 20, 721 or 1155.
    ['kind', 'small'],
    ['sender', 'hex'],
    ['recipient', 'hex'],
    // Null for ERC-20.
    ['token_id', 'amount?'],
    ['amount', 'amount'],
  ],
  /** Calls inside transactions; the transaction's own top call is not repeated. Empty without traces. */
  calls: [
    ['number', 'height'],
    ['tx_index', 'integer'],
    ['ordinal', 'integer'],
    ['ts', 'seconds'],
    ['depth', 'small'],
    ['type', 'text'],
    ['reverted', 'boolean'],
    ['sender', 'hex'],
    ['recipient', 'hex?'],
    ['value', 'amount'],
    ['gas_limit', 'word'],
    ['gas_used', 'word'],
    ['method', 'hex?'],
    ['error', 'text?'],
  ],
  /** Lasting creations: by a transaction (ordinal -1) or by a call inside one. */
  contracts: [
    ['number', 'height'],
    ['tx_index', 'integer'],
    ['ordinal', 'integer'],
    ['ts', 'seconds'],
    ['address', 'hex'],
    ['deployer', 'hex'],
    // Who signed the transaction.
    ['origin', 'hex'],
  ],
  withdrawals: [
    ['number', 'height'],
    ['index', 'word'],
    ['ts', 'seconds'],
    ['validator', 'word'],
    ['address', 'hex'],
    ['amount', 'amount'],
  ],
} as const satisfies Record<string, readonly LakeColumn[]>

export type LakeTable = keyof typeof lakeTables
export const lakeTableNames = Object.keys(lakeTables) as LakeTable[]

/** The sort order of each table; it is also the table's key. */
export const lakeOrder = {
  blocks: ['number'],
  transactions: ['number', 'index'],
  logs: ['number', 'index'],
  token_transfers: ['number', 'log_index', 'position'],
  calls: ['number', 'tx_index', 'ordinal'],
  contracts: ['number', 'tx_index', 'ordinal'],
  withdrawals: ['number', 'index'],
} as const satisfies Record<LakeTable, readonly string[]>
