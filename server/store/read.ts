import type postgres from 'postgres'
import { z } from 'zod'
import type { Queryable } from './database.ts'

export type Parameter = string | number | bigint | boolean | Uint8Array | null | readonly string[]

/**
 * The largest values of their columns, used as the cursor of a first page, so that every page has the same
 * plan.
 */
export const lastBlock = 9_223_372_036_854_775_807n
export const lastIndex = 2_147_483_647

/** The size of the largest page plus one row, which tells whether another page exists. */
export const maxRows = 101

/** A bytea column. Numeric columns are text, so that 256-bit amounts stay exact. */
export const bytes = z.instanceof(Buffer)

/** How fast a chain was catching up when it was last measured, what bounded it, and when that was. */
export const syncColumns = {
  sync_rate: z.number().nullable(),
  sync_bound: z.string().nullable(),
  sync_ts: z.bigint().nullable(),
}

/** The row of an outer join without a match: every column is null. */
export const nullsOf = <Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) =>
  z.strictObject(
    Object.fromEntries(Object.keys(shape).map((name) => [name, z.null()])) as Record<keyof Shape, z.ZodNull>,
  )

/** Rows are validated only in tests; in production it would cost as much as reading them. */
const checksRows = process.env['NODE_ENV'] === 'test'

/**
 * Runs a fixed statement with bound parameters as a prepared statement. The text must be constant and never
 * contain a value. In tests, each row is validated against its schema; a ZodError names the column.
 */
export async function read<Shape extends z.ZodType<object>>(
  database: Queryable,
  row: Shape,
  statement: string,
  parameters: readonly Parameter[],
): Promise<Readonly<z.output<Shape>>[]> {
  const rows = await database.unsafe<z.output<Shape>[]>(
    statement,
    // The driver's type only includes its own value types; bigint is registered in openDatabase.
    parameters as unknown as postgres.ParameterOrJSON<never>[],
    { prepare: true },
  )
  if (checksRows) for (const found of rows) row.parse(found)
  return rows
}

type Bound = readonly [statement: string, parameters: readonly Parameter[]]

/**
 * Defines a read: the schema of its rows, the statement with its parameters as `read` wants them, and what its rows
 * become, if not the answer itself. Without a statement, nothing is read and there are no rows.
 */
export function query<
  Shape extends z.ZodType<object>,
  Values extends readonly unknown[],
  Answer = Readonly<z.output<Shape>>[],
>(
  row: Shape,
  bind: (...values: Values) => Bound | undefined,
  answer: (rows: Readonly<z.output<Shape>>[]) => Answer = (rows) => rows as Answer,
): (database: Queryable, ...values: Values) => Promise<Answer> {
  return async (database, ...values) => {
    const bound = bind(...values)
    return answer(bound ? await read(database, row, ...bound) : [])
  }
}

/** Defines a read of one row, which is undefined if there is none. */
export function queryOne<
  Shape extends z.ZodType<object>,
  Values extends readonly unknown[],
  Answer = Readonly<z.output<Shape>> | undefined,
>(
  row: Shape,
  bind: (...values: Values) => Bound | undefined,
  answer: (row: Readonly<z.output<Shape>> | undefined) => Answer = (row) => row as Answer,
): (database: Queryable, ...values: Values) => Promise<Answer> {
  return query(row, bind, ([first]) => answer(first))
}

/** A statement with named parameters: its text, and their names in the order of `$1`, `$2`, … */
export type NamedStatement<Name extends string> = { readonly text: string; readonly names: readonly Name[] }

/** The placeholders of the named parameters in a statement: `$1`, `$2`, … */
export type Placeholders<Name extends string> = Readonly<Record<Name, string>>

/**
 * Writes a statement with named parameters; unused names are omitted. A name used several times is bound
 * once, and the text is constant, so the statement is prepared once. (The driver's own fragments bind each
 * use separately.)
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

/** Like `read`, for a statement with named parameters. */
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
