import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBPreparedStatement,
  DuckDBResult,
  DuckDBType,
  DuckDBValue,
  DuckDBValueConverter,
} from '@duckdb/node-api'
import { literal } from './literal.ts'

/** The rows of a statement broke off: an error, an interruption or a limit ended them before the last one. */
export class BrokenOff extends Error {
  override readonly name = 'BrokenOff'
  constructor() {
    super('the engine ended the rows before the last one')
  }
}

/** A column of a result: its name, and its type as the engine has it. */
type ResultColumn = { readonly name: string; readonly type: DuckDBType }

/** Some rows of a result, at least one. */
export class Rows {
  readonly count: number
  readonly #chunk: DuckDBDataChunk
  readonly #width: number

  /** The chunk may have more columns than `width`. */
  constructor(chunk: DuckDBDataChunk, width: number) {
    this.count = chunk.rowCount
    this.#chunk = chunk
    this.#width = width
  }

  /** The values of a column, by its place. */
  column(place: number): DuckDBValue[] {
    return this.#chunk.getColumnValues(place)
  }

  columns(): DuckDBValue[][] {
    return Array.from({ length: this.#width }, (_, place) => this.column(place))
  }

  /** The values row by row. */
  rows<Value>(converter: DuckDBValueConverter<Value>): (Value | null)[][] {
    const columns = Array.from({ length: this.#width }, (_, place) =>
      this.#chunk.convertColumnValues(place, converter),
    )
    return Array.from({ length: this.count }, (_, row) => columns.map((values) => values[row] ?? null))
  }
}

/**
 * The rows of a SELECT, chunk by chunk, in bounded memory and in their order, with proof that they are all there.
 *
 * DuckDB's `fetchChunk` gives null after the last row as well as after an error, an interruption or a lack of memory,
 * and its package has no call that tells these apart. So the statement gets one more row and one more column: the last
 * row of all marks the end, and rows without it broke off.
 */
export class WholeRows {
  readonly columns: readonly ResultColumn[]
  readonly #result: DuckDBResult
  #isWhole = false

  private constructor(columns: readonly ResultColumn[], result: DuckDBResult) {
    this.columns = columns
    this.#result = result
  }

  /**
   * Starts a statement, which must be one SELECT; `prepared` is the same, if the caller has it, and is taken over. Throws
   * the engine's error if it can't be run.
   */
  static async open(
    connection: DuckDBConnection,
    sql: string,
    prepared?: DuckDBPreparedStatement,
  ): Promise<WholeRows> {
    const names = namesOf(prepared ?? (await connection.prepare(sql)))
    const nulls = names.map(() => 'null, ').join('')
    // `query` takes the text as one SELECT, so that nothing in it can end the statement around it. UNION ALL keeps the
    // order of the rows.
    const marked = `select *, false from query(${literal(sql)}) union all select ${nulls}true`
    const result = await connection.stream(marked)
    return new WholeRows(
      // In a subquery, the engine renames columns of the same name.
      names.map((name, place) => ({ name, type: result.columnType(place) })),
      result,
    )
  }

  /** The next rows; undefined after the last. Throws BrokenOff if the rows ended early. */
  async next(): Promise<Rows | undefined> {
    if (this.#isWhole) return undefined
    const chunk = await this.#result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) throw new BrokenOff()
    const width = this.columns.length
    const last = chunk.rowCount - 1
    this.#isWhole = chunk.getColumnVector(width).getItem(last) === true
    if (this.#isWhole) chunk.rowCount = last
    return chunk.rowCount === 0 ? undefined : new Rows(chunk, width)
  }
}

/** The names of a statement's columns; ends the statement. */
function namesOf(statement: DuckDBPreparedStatement): string[] {
  try {
    return Array.from({ length: statement.columnCount }, (_, place) => statement.columnName(place))
  } finally {
    statement.destroySync()
  }
}
