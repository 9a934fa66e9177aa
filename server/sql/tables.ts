import { columnTypes, lakeTables, type ColumnKind, type LakeTable } from '../lake/tables.ts'

/**
 * The tables of EVM chains as statements see them (docs/sql.md). Their rows come from the lake's files and, above the
 * sealed ranges, from the store. Both have the columns of the lake's layout; `shown` makes of them what analysts
 * expect: the chain, the time as a timestamp, and amounts as numbers.
 */
type EvmTable = {
  readonly description: string
  /** The columns that both sources have, with what they mean. */
  readonly columns: Readonly<Record<string, string>>
}

export const evmTables = {
  blocks: {
    description: 'One row per block.',
    columns: {
      number: 'height',
      ts: 'Unix seconds',
      hash: '',
      parent_hash: '',
      miner: 'who received the fees, as the header says',
      gas_limit: '',
      gas_used: 'by its transactions',
      base_fee: 'wei per gas; null before EIP-1559',
      block_gas_cost: '',
      size: 'bytes',
      tx_count: 'transactions in it',
      log_count: 'logs in it',
      fees: 'wei; gas used times effective gas price, over its transactions',
      state_root: '',
      transactions_root: '',
      receipts_root: '',
      extra_data: '',
    },
  },
  transactions: {
    description: 'One row per transaction, with what its receipt says.',
    columns: {
      number: 'height of its block',
      index: 'place in the block',
      ts: 'Unix seconds of its block',
      type: '0 legacy, 1 access list, 2 EIP-1559, 3 blobs, 4 authorisations',
      status: '1 succeeded, 0 failed',
      hash: '',
      sender: 'who signed it',
      recipient: 'null if it creates a contract',
      created: 'address of the contract that it created, also if it failed',
      value: 'wei',
      nonce: '',
      gas_limit: '',
      gas_used: '',
      cumulative_gas_used: 'in the block, up to and with it',
      gas_price: 'effective price, wei per gas',
      max_fee: 'wei per gas',
      max_priority_fee: 'wei per gas',
      input: 'call data; its first 10 characters are the selector',
      error: 'why it failed, in the node’s words; null if it succeeded or was not traced',
      output: 'what its own call returned as it failed, at most 1,024 bytes',
      failing_call: 'the `ordinal` of the call in which the failure began, -1 for its own',
      blob_gas_used: 'null without blobs',
      blob_gas_price: 'wei per blob gas; times `blob_gas_used`, a part of the fee beside gas',
    },
  },
  logs: {
    description: 'One row per log, undecoded.',
    columns: {
      number: 'height of its block',
      index: 'place in the block',
      ts: 'Unix seconds of its block',
      tx_index: 'place of its transaction in the block',
      address: 'the contract that emitted it',
      topic0: 'hash of the event’s signature',
      topic1: '',
      topic2: '',
      topic3: '',
      data: '',
    },
  },
  token_transfers: {
    description: 'One row per movement of an ERC-20, ERC-721 or ERC-1155 token; a batch has one for each id.',
    columns: {
      number: 'height of its block',
      log_index: 'place of its log in the block',
      position: 'place within the log',
      ts: 'Unix seconds of its block',
      tx_index: 'place of its transaction in the block',
      token: 'the contract',
      kind: '20, 721 or 1155',
      sender: 'the zero address when minted',
      recipient: 'the zero address when burned',
      token_id: 'decimal digits; null for ERC-20',
      amount: 'in the smallest unit; null from 2^127 on, where amount_text has it',
    },
  },
  calls: {
    description: 'One row per call inside a transaction; none where the node has no traces.',
    columns: {
      number: 'height of its block',
      tx_index: 'place of its transaction in the block',
      ordinal: 'in the order of execution, from 0',
      ts: 'Unix seconds of its block',
      depth: '1 is a call by the called contract',
      type: 'CALL, DELEGATECALL, STATICCALL, CREATE, CREATE2 or SELFDESTRUCT',
      reverted: 'whether it or one that it is part of was undone',
      sender: '',
      recipient: '',
      value: 'wei',
      gas_limit: '',
      gas_used: '',
      method: 'selector',
      error: '',
    },
  },
  contracts: {
    description: 'One row per creation of a contract that lasted.',
    columns: {
      number: 'height of its block',
      tx_index: 'place of its transaction in the block',
      ordinal: 'of the call that created it; -1 for the transaction itself',
      ts: 'Unix seconds of its block',
      address: '',
      deployer: 'may be a contract',
      origin: 'who signed the transaction',
    },
  },
} as const satisfies Partial<Record<LakeTable, EvmTable>>

export type EvmTableName = keyof typeof evmTables
export const evmTableNames = Object.keys(evmTables) as EvmTableName[]

/** A column: its name and DuckDB's type. */
export type Column = { readonly name: string; readonly type: string }
export type DescribedColumn = Column & { readonly description: string }

const kinds = (table: EvmTableName): Map<string, ColumnKind> =>
  new Map(lakeTables[table].map(([name, kind]) => [name, kind.replace('?', '') as ColumnKind]))

/** The columns that the lake and the store have in common, with the lake's types. */
export function sharedColumns(table: EvmTableName): (Column & { readonly kind: ColumnKind })[] {
  const known = kinds(table)
  return Object.keys(evmTables[table].columns).map((name) => {
    const kind = known.get(name)
    if (kind === undefined) throw new Error(`${table}.${name} is not a column of the lake`)
    return { name, kind, type: columnTypes[kind] }
  })
}

/** An amount as a number of 128 bits with sign: sums of it stay exact, and text of larger ones is kept beside it. */
const numeric = 'HUGEINT'

type Shown = DescribedColumn & { readonly expression: string }

function shown(table: EvmTableName): Shown[] {
  const descriptions = new Map<string, string>(Object.entries(evmTables[table].columns))
  return sharedColumns(table).flatMap(({ name, kind, type }): Shown[] => {
    const description = descriptions.get(name) ?? ''
    const quoted = `"${name}"`
    const plain = { name, type, description, expression: quoted }
    if (kind === 'seconds') {
      const time = { name: 'time', type: 'TIMESTAMP', description: 'of its block, UTC' }
      return [{ ...time, expression: `make_timestamp(${quoted} * 1000000)` }, plain]
    }
    if (kind !== 'amount' || name === 'token_id') return [plain]
    const number = { ...plain, type: numeric, expression: `try_cast(${quoted} as ${numeric})` }
    if (table !== 'token_transfers') return [number]
    const text = { name: `${name}_text`, type, description: 'the same, exact at any size' }
    return [number, { ...text, expression: quoted }]
  })
}

/** The columns of a table in order, as statements see them. */
export function describedColumns(table: EvmTableName): DescribedColumn[] {
  const chain = { name: 'chain', type: 'BIGINT', description: 'the EVM chain id' }
  return [chain, ...shown(table).map(({ name, type, description }) => ({ name, type, description }))]
}

/**
 * The definition of a table's view over the files of the lake, by chain, and the table that holds the rows of the
 * store, which has the chain as a column.
 */
export function viewOf(
  table: EvmTableName,
  lake: readonly { readonly chain: number; readonly from: string }[],
  live: string,
): string {
  const columns = shown(table)
    .map(({ name, expression }) => `${expression} as "${name}"`)
    .join(', ')
  const sealed = lake.map(({ chain, from }) => `select ${chain}::BIGINT as chain, ${columns} from ${from}`)
  return `create view ${table} as ${[...sealed, `select chain, ${columns} from ${live}`].join(' union all ')}`
}
