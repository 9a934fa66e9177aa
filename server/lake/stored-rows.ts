import type { DuckDBConnection } from '@duckdb/node-api'
import { literal } from './literal.ts'
import { quoted, nullText } from './rows.ts'
import { lakeTables, type LakeColumn, type LakeTable } from './tables.ts'
import { WholeRows } from './whole-rows.ts'

/** A row of a file: the text of each column, or null. */
export type StoredRow = readonly (string | null)[]

/**
 * Reads one table's file block by block, in bounded memory. The file has to be in the order of the blocks: rows
 * that are not are left over.
 */
export class StoredRows {
  readonly #connection: DuckDBConnection
  readonly #source: WholeRows
  #rows: StoredRow[] = []
  #at = 0

  private constructor(connection: DuckDBConnection, source: WholeRows) {
    this.#connection = connection
    this.#source = source
  }

  /** Opens a file at a height. The connection belongs to the reader from here on. */
  static async open(
    connection: DuckDBConnection,
    table: LakeTable,
    path: string,
    from: number,
  ): Promise<StoredRows> {
    return StoredRows.ofColumns(connection, lakeTables[table], path, from)
  }

  /** Like `open`, for a table with other columns than those of an EVM chain. */
  static async ofColumns(
    connection: DuckDBConnection,
    columns: readonly LakeColumn[],
    path: string,
    from: number,
  ): Promise<StoredRows> {
    const texts = columns.map(({ name }) => `"${name}"::varchar`)
    const sql = `select ${texts.join(', ')} from read_parquet(${literal(path)}) where number >= ${from}`
    return new StoredRows(connection, await WholeRows.open(connection, sql))
  }

  /** The rows of the block at `number`, provided that no row below it is left. */
  async take(number: number): Promise<StoredRow[]> {
    const taken: StoredRow[] = []
    const wanted = `${number}`
    for (;;) {
      const row = this.#rows[this.#at]
      if (row?.[0] === wanted) {
        taken.push(row)
        this.#at += 1
      } else if (row || !(await this.#next())) return taken
    }
  }

  /** The next row that nobody took; undefined at the end. */
  async left(): Promise<StoredRow | undefined> {
    while (this.#at >= this.#rows.length) if (!(await this.#next())) return undefined
    return this.#rows[this.#at]
  }

  close(): void {
    this.#connection.closeSync()
  }

  /** Reads on; false at the end. Throws BrokenOff if the engine ends the rows early. */
  async #next(): Promise<boolean> {
    const found = await this.#source.next()
    if (!found) return false
    this.#rows = found.rows((text) => text as string)
    this.#at = 0
    return true
  }
}

/** Rows in the form of `rowsOfBlock`. */
export function textOfRows(table: LakeTable, rows: readonly StoredRow[]): string {
  return textOfColumns(lakeTables[table], rows)
}

/** Like `textOfRows`, for a table with other columns than those of an EVM chain. */
export function textOfColumns(columns: readonly LakeColumn[], rows: readonly StoredRow[]): string {
  const isFree = columns.map(({ kind }) => kind === 'text' || kind === 'json')
  const line = (row: StoredRow) =>
    row
      .map((value, index) => (value !== null && isFree[index] ? quoted(value) : (value ?? nullText)))
      .join('\t')
  return rows.map((row) => `${line(row)}\n`).join('')
}
