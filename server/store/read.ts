import type postgres from 'postgres'
import type { z } from 'zod'
import type { Queryable } from './database.ts'

export type Parameter = string | number | bigint | boolean | Buffer | null | readonly string[]

/** The largest values of their columns: the cursor of a first page, so that every page has the same plan. */
export const lastBlock = 9_223_372_036_854_775_807n
export const lastIndex = 2_147_483_647

/** The rows of the largest page of a list, and one more that tells whether another page exists. */
export const mostRows = 101

/** Checking every row costs as much as reading it, so only tests do: a build leaves the check out. */
const checksRows = process.env['NODE_ENV'] === 'test'

/**
 * Runs a fixed statement with bound parameters as a prepared one. The text must be the same each time:
 * no value is ever part of it. Tests check each row against its schema.
 */
export function read<Shape extends z.ZodObject>(
  database: Queryable,
  row: Shape,
  statement: string,
  parameters: readonly Parameter[],
): Promise<Readonly<z.output<Shape>>[]>
export function read<Row extends object>(
  database: Queryable,
  statement: string,
  parameters: readonly Parameter[],
): Promise<Row[]>
export async function read(
  database: Queryable,
  ...given: [z.ZodObject, string, readonly Parameter[]] | [string, readonly Parameter[]]
): Promise<object[]> {
  const [shape, statement, parameters] = given.length === 3 ? given : [undefined, ...given]
  const rows = await database.unsafe<object[]>(
    statement,
    // The driver's type names its own value kinds only; bigint is registered in openDatabase.
    parameters as unknown as postgres.ParameterOrJSON<never>[],
    { prepare: true },
  )
  if (checksRows && shape) for (const row of rows) shape.parse(row)
  return rows
}
