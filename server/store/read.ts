import type postgres from 'postgres'
import type { Queryable } from './database.ts'

type Parameter = string | number | bigint | boolean | Buffer | null | readonly string[]

/** The largest values of their columns: the cursor of a first page, so that every page has the same plan. */
export const lastBlock = 9_223_372_036_854_775_807n
export const lastIndex = 2_147_483_647

/** The rows of the largest page of a list, and one more that tells whether another page exists. */
export const mostRows = 101

/**
 * Runs a fixed statement with bound parameters as a prepared one. The text must be the same each time:
 * no value is ever part of it.
 */
export async function read<Row extends object>(
  database: Queryable,
  statement: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const rows = await database.unsafe<Row[]>(
    statement,
    // The driver's type names its own value kinds only; bigint is registered in openDatabase.
    parameters as unknown as postgres.ParameterOrJSON<never>[],
    { prepare: true },
  )
  return rows
}

/** The SQL of the character between rows that readLines takes apart: JSON of digits and hex never holds it. */
export const lineBreak = String.raw`E'\n'`

/**
 * Runs a statement that joins its rows to one text, `lines`. Taking a page as one value costs a third of
 * taking each row as a message of its own.
 */
export async function readLines(
  database: Queryable,
  statement: string,
  parameters: readonly Parameter[],
): Promise<string[]> {
  const [row] = await read<{ lines: string | null }>(database, statement, parameters)
  return row?.lines == null ? [] : row.lines.split('\n')
}
