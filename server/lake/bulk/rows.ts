import { DuckDBBlobValue, type DuckDBValue } from '@duckdb/node-api'
import { bigintColumn, BinaryRows, numericColumn, rowStart } from '../../store/copy-binary.ts'
import { storedColumns, type StoredType } from '../../store/columns.ts'
import { evmTables } from '../../store/evm/columns.ts'
import type { LakeTable } from '../tables.ts'
import type { Scratch } from './scratch.ts'

/** The type of a column in PostgreSQL. A `bytea` comes as 0x text, a `numeric` as decimal text. */
type ColumnType = Exclude<StoredType, 'bytea[]'>

/** The columns of a table behind `chain`, in order. */
export type Columns = Readonly<Record<string, ColumnType>>

/** The tables whose rows are those of the lake as they are. */
export type ChildTable = Exclude<LakeTable, 'blocks' | 'token_transfers'>

/** The columns of such a table in PostgreSQL. */
export const childColumns = (table: ChildTable): Columns => storedColumns(evmTables[table]) as Columns

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
  bytea: (name: string) => `unhex(substr(${name}, 3))`,
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
