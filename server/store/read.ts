import type postgres from 'postgres'
import { z } from 'zod'
import type { Queryable } from './database.ts'

export type Parameter = string | number | bigint | boolean | Buffer | null | readonly string[]

/** The largest values of their columns: the cursor of a first page, so that every page has the same plan. */
export const lastBlock = 9_223_372_036_854_775_807n
export const lastIndex = 2_147_483_647

/** The rows of the largest page of a list, and one more that tells whether another page exists. */
export const mostRows = 101

/** A bytea column. Numeric columns are text, so that 256-bit amounts stay exact. */
export const bytes = z.instanceof(Buffer)

/** The row of an outer join that found none: every column is null. */
export const nullsOf = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.strictObject(
    Object.fromEntries(Object.keys(shape).map((name) => [name, z.null()])) as Record<keyof Shape, z.ZodNull>,
  )

/** Tests check every row; in production that would cost as much as reading it. */
const checksRows = process.env['NODE_ENV'] === 'test'

/**
 * Runs a fixed statement with bound parameters as a prepared one. The text must be the same each time:
 * no value is ever part of it. Tests check each row against its schema: a ZodError names the column.
 */
export async function read<Shape extends z.ZodType<object>>(
  database: Queryable,
  row: Shape,
  statement: string,
  parameters: readonly Parameter[],
): Promise<Readonly<z.output<Shape>>[]> {
  const rows = await database.unsafe<z.output<Shape>[]>(
    statement,
    // The driver's type names its own value kinds only; bigint is registered in openDatabase.
    parameters as unknown as postgres.ParameterOrJSON<never>[],
    { prepare: true },
  )
  if (checksRows) for (const found of rows) row.parse(found)
  return rows
}

/** A statement with named parameters: its text, and their names in the order of `$1`, `$2`, … */
export type NamedStatement<Name extends string> = { readonly text: string; readonly names: readonly Name[] }

/** The placeholder of each named parameter in the text of a statement: `$1`, `$2`, … */
export type Placeholders<Name extends string> = Readonly<Record<Name, string>>

/**
 * Writes a statement with named parameters; names that `write` does not use are left out. A name that is used
 * several times is bound once, and the text stays the same, so that it is prepared once: the driver's own
 * fragments bind each use anew.
 */
export function named<Name extends string>(write: ($: Placeholders<Name>) => string): NamedStatement<Name> {
  const names: Name[] = []
  const placeholderOf = (name: Name): string => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  }
  const placeholders = new Proxy({} as Placeholders<Name>, {
    get: (_none, name) => placeholderOf(name as Name),
  })
  return { text: write(placeholders), names }
}

/** As `read`, for a statement with named parameters. */
export function readNamed<Shape extends z.ZodType<object>, Name extends string>(
  database: Queryable,
  row: Shape,
  { text, names }: NamedStatement<Name>,
  values: Readonly<Record<Name, Parameter>>,
): Promise<Readonly<z.output<Shape>>[]> {
  return read(
    database,
    row,
    text,
    names.map((name) => values[name]),
  )
}
