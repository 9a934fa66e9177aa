import type { DuckDBValue } from '@duckdb/node-api'
import { bigintColumn, BinaryRows, numericColumn, rowStart } from '../../store/copy-binary.ts'
import type { Chunk, Scratch } from './scratch.ts'

/** How a column of PostgreSQL is written. `bytes` come as 0x text, `numeric` as decimal text. */
type ColumnType = 'bigint' | 'integer' | 'smallint' | 'boolean' | 'bytes' | 'numeric' | 'text'

/** The columns of a table behind `chain`, in order. */
export type Columns = Readonly<Record<string, ColumnType>>

/** The tables that are rows of the lake as they are. Names are those of both stores. */
export const childColumns = {
  transactions: {
    number: 'bigint',
    index: 'integer',
    type: 'smallint',
    status: 'smallint',
    hash: 'bytes',
    sender: 'bytes',
    recipient: 'bytes',
    created: 'bytes',
    value: 'numeric',
    nonce: 'numeric',
    gas_limit: 'numeric',
    gas_used: 'bigint',
    cumulative_gas_used: 'bigint',
    gas_price: 'numeric',
    max_fee: 'numeric',
    max_priority_fee: 'numeric',
    input: 'bytes',
  },
  logs: {
    number: 'bigint',
    index: 'integer',
    tx_index: 'integer',
    address: 'bytes',
    topic0: 'bytes',
    topic1: 'bytes',
    topic2: 'bytes',
    topic3: 'bytes',
    data: 'bytes',
  },
  calls: {
    number: 'bigint',
    tx_index: 'integer',
    ordinal: 'integer',
    depth: 'smallint',
    type: 'text',
    reverted: 'boolean',
    sender: 'bytes',
    recipient: 'bytes',
    value: 'numeric',
    gas_limit: 'numeric',
    gas_used: 'numeric',
    method: 'bytes',
    error: 'text',
  },
  contracts: {
    number: 'bigint',
    tx_index: 'integer',
    ordinal: 'integer',
    address: 'bytes',
    deployer: 'bytes',
    origin: 'bytes',
  },
  withdrawals: {
    number: 'bigint',
    index: 'numeric',
    validator: 'numeric',
    address: 'bytes',
    amount: 'numeric',
  },
} as const satisfies Record<string, Columns>

/** The names of columns in a statement of either store. */
export const namesOf = (columns: Columns): string =>
  Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ')

const sqlTypes = {
  bigint: 'bigint',
  integer: 'integer',
  smallint: 'smallint',
  boolean: 'boolean',
  bytes: 'varchar',
  numeric: 'varchar',
  text: 'varchar',
} as const satisfies Record<ColumnType, string>

/**
 * Rows of a table in COPY's binary format, with `chain` in front of the columns. `source` is what follows
 * `select … from`, with columns of these names.
 */
export async function* binaryRows(
  scratch: Scratch,
  chain: number,
  columns: Columns,
  source: string,
): AsyncGenerator<Buffer> {
  const entries = Object.entries(columns)
  const types = entries.map(([, type]) => type)
  const selected = entries.map(([name, type]) => `"${name}"::${sqlTypes[type]}`)
  const head = Buffer.concat([rowStart(types.length + 1), bigintColumn(chain)])
  for await (const chunk of scratch.read(`select ${selected.join(', ')} from ${source}`))
    yield* encoded(head, types, chunk)
}

/** A chunk has 2,048 rows. */
const usualBytes = 512 * 1024

function encoded(head: Buffer, types: readonly ColumnType[], { columns, rows }: Chunk): Buffer[] {
  const output = new BinaryRows(usualBytes)
  for (let row = 0; row < rows; row += 1) {
    output.append(head)
    for (const [at, type] of types.entries()) write(output, type, columns[at]?.[row] ?? null)
  }
  return output.done()
}

function write(output: BinaryRows, type: ColumnType, value: DuckDBValue): void {
  if (value === null) output.null()
  else if (type === 'bytes') output.hex(value, 'a value of the lake')
  else if (type === 'numeric') output.append(numericColumn(String(value)))
  else if (type === 'bigint') output.bigint(value as bigint)
  else if (type === 'integer') output.integer(value as number)
  else if (type === 'smallint') output.smallint(value as number)
  else if (type === 'boolean') output.boolean(value as boolean)
  else output.raw(Buffer.from(String(value)))
}
