import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api'
import { bigintColumn, BinaryRows, numericColumn, rowStart } from '../../store/copy-binary.ts'
import type { Scratch } from './scratch.ts'

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
    error: 'text',
    output: 'bytes',
    failing_call: 'integer',
    blob_gas_used: 'bigint',
    blob_gas_price: 'numeric',
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

/** The value of a column in bytes, as DuckDB computes it: fixed-width types are stored with the highest byte first. */
const bytesOf = {
  bigint: (name: string) => `${name}::bigint::bit::blob`,
  integer: (name: string) => `${name}::integer::bit::blob`,
  smallint: (name: string) => `${name}::smallint::bit::blob`,
  boolean: (name: string) => `${name}::boolean::bit::blob`,
  bytes: (name: string) => `unhex(substr(${name}, 3))`,
  text: (name: string) => `encode(${name})`,
} as const satisfies Record<Exclude<ColumnType, 'numeric'>, (name: string) => string>

const nullBytes = String.raw`'\xFF\xFF\xFF\xFF'::blob`

/**
 * What a query selects for rows of these columns. Columns that follow each other become one field with their bytes
 * in COPY's format, because each value that is handed to JavaScript costs more than its encoding; only numerics are
 * encoded there.
 */
function fieldsOf(columns: Columns): string[] {
  const fields: string[] = []
  let run: string[] = []
  const endRun = () => {
    if (run.length > 0) fields.push(run.join(' || '))
    run = []
  }
  for (const [name, type] of Object.entries(columns)) {
    if (type === 'numeric') {
      endRun()
      fields.push(`"${name}"::varchar`)
    } else {
      const bytes = bytesOf[type](`"${name}"`)
      run.push(`coalesce(octet_length(${bytes})::integer::bit::blob || ${bytes}, ${nullBytes})`)
    }
  }
  endRun()
  return fields
}

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
  const head = Buffer.concat([rowStart(Object.keys(columns).length + 1), bigintColumn(chain)])
  const numerics: Numeric[] = []
  for await (const { columns: fields, rows } of scratch.read(
    `select ${fieldsOf(columns).join(', ')} from ${source}`,
  )) {
    const output = new BinaryRows(defaultBytes)
    for (let row = 0; row < rows; row += 1) {
      output.append(head)
      for (const [at, field] of fields.entries())
        write(output, field[row] ?? null, (numerics[at] ??= { digits: '', encoded: Buffer.alloc(0) }))
    }
    yield* output.done()
  }
}

/** A chunk has 2,048 rows. */
const defaultBytes = 512 * 1024

/** The last number of a field: many fields have the same one in most rows. */
type Numeric = { digits: string; encoded: Buffer }

function write(output: BinaryRows, value: DuckDBValue, last: Numeric): void {
  if (value instanceof DuckDBBlobValue) output.append(value.bytes)
  else if (value === null) output.null()
  else {
    const digits = String(value)
    if (digits !== last.digits) Object.assign(last, { digits, encoded: numericColumn(digits) })
    output.append(last.encoded)
  }
}
