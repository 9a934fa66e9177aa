import { z } from 'zod'
import type { Queryable } from './database.ts'
import { read, type Parameter } from './read.ts'

/** JSON text is concatenated from literals (strings) and SQL expressions. */
type Piece = string | { readonly sql: string }

/**
 * A field of a row: its SQL as a column, its SQL as JSON text, and the schema of its value, which is the same
 * for both.
 */
type Field<Value> = {
  readonly schema: z.ZodType<Value>
  readonly column: string
  readonly json: readonly Piece[]
  /** Omitted from JSON objects if it is null. */
  readonly optional?: true
}
type OptionalField<Value> = Field<Value | null> & { readonly optional: true }

/** The fields of a row, from which the SQL to read them and their types are derived. */
export type Fields = Readonly<Record<string, Field<unknown>>>
type ValueOf<F> = F extends Field<infer Value> ? Value : never

/** A row with one column per field; an optional field without a value is null. */
export type RowOf<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> }

type OptionalNames<F extends Fields> = {
  [K in keyof F]: F[K] extends { readonly optional: true } ? K : never
}[keyof F]
/** A JSON object of the fields; an optional field without a value is absent. */
export type ObjectOf<F extends Fields> = {
  readonly [K in Exclude<keyof F, OptionalNames<F>>]: ValueOf<F[K]>
} & { readonly [K in OptionalNames<F>]?: NonNullable<ValueOf<F[K]>> }

const field = <Value>(schema: z.ZodType<Value>, column: string, ...json: Piece[]): Field<Value> => ({
  schema,
  column,
  json,
})

const hexOf = (sql: string): string => `encode(${sql}, 'hex')`

/** An integer of any size, as decimal digits. */
export const digits = (sql: string): Field<string> =>
  field(z.string().regex(/^-?\d+$/), `(${sql})::text`, '"', { sql }, '"')

/** A 64-bit integer. Only for rows, because JSON cannot represent it. */
export const height = (sql: string): Field<bigint> => field(z.bigint(), sql)

/** An integer below 2^53. */
export const integer = (sql: string): Field<number> => field(z.number().int(), `(${sql})::float8`, { sql })

export const flag = (sql: string): Field<boolean> => field(z.boolean(), sql, { sql })

/** Bytes as 0x text. */
export const hex = (sql: string): Field<string> =>
  field(z.string().regex(/^0x[0-9a-f]*$/), `'0x' || ${hexOf(sql)}`, '"0x', { sql: hexOf(sql) }, '"')

/** Several bytes as 0x texts, without those that are null. */
export const hexList = (sqls: readonly string[]): Field<string[]> => {
  const sql = `to_json(array_remove(array[${sqls.map((each) => `'0x' || ${hexOf(each)}`).join(', ')}], null))`
  return field(z.array(z.string().regex(/^0x[0-9a-f]*$/)), sql, { sql })
}

/** Text that needs no escaping in JSON, such as an enum value. */
export const word = <Value extends string = string>(sql: string): Field<Value> =>
  field(
    z.custom<Value>((value) => typeof value === 'string'),
    sql,
    '"',
    { sql },
    '"',
  )

/** Any text. */
export const text = (sql: string): Field<string> => field(z.string(), sql, { sql: `to_json(${sql})` })

/** A field that may be null. */
export const nullable = <Value>({ schema, column, json }: Field<Value>): Field<Value | null> =>
  field(schema.nullable(), column, { sql: `coalesce((${joined(json)})::text, 'null')` })

/** A field that is omitted from JSON objects if it is null. */
export const optional = <Value>({ schema, column, json }: Field<Value>): OptionalField<Value> => ({
  schema: schema.nullable(),
  column,
  json,
  optional: true,
})

/** An object. */
export const object = <F extends Fields>(fields: F): Field<ObjectOf<F>> => {
  const sql = jsonOf(fields)
  return field(schemaOfObject(fields), `(${sql})::json`, { sql })
}

/** The objects of all rows of `from`, in any order if none is given; an empty list if there are no rows. */
export const list = <F extends Fields>(fields: F, from: string, order?: string): Field<ObjectOf<F>[]> => {
  const sort = order === undefined ? '' : ` order by ${order}`
  const rows = `(select string_agg(${jsonOf(fields)}, ','${sort}) from ${from})`
  const sql = `'[' || coalesce(${rows}, '') || ']'`
  return field(z.array(schemaOfObject(fields)), `(${sql})::json`, { sql })
}

/** The SQL of a JSON object. Its first field must not be optional. */
export function jsonOf(fields: Fields): string {
  const pieces = Object.entries(fields).flatMap(([name, { json, optional }], index): Piece[] => {
    if (json.length === 0) throw new Error(`${name}: JSON can't hold it`)
    const member = [`${index === 0 ? '' : ','}"${name}":`, ...json]
    if (!optional) return member
    if (index === 0) throw new Error(`${name}: a JSON object can't begin with an optional field`)
    return [{ sql: `coalesce(${joined(member)}, '')` }]
  })
  return joined(['{', ...pieces, '}'])
}

/** The columns of a statement that reads the fields as a row. */
export const columnsOf = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, { column }]) => `${column} as "${name}"`)
    .join(', ')

/** The schema of a row of `columnsOf`. */
export const rowOf = <F extends Fields>(fields: F) =>
  z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as {
      [K in keyof F]: F[K]['schema']
    },
  )

const schemaOfObject = <F extends Fields>(fields: F): z.ZodType<ObjectOf<F>> =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, { schema, optional }]) => [
        name,
        optional ? schema.optional() : schema,
      ]),
    ),
  ) as unknown as z.ZodType<ObjectOf<F>>

/** SQL that concatenates the pieces. */
function joined(pieces: readonly Piece[]): string {
  const terms: string[] = []
  let literal = ''
  const endLiteral = (): void => {
    if (literal !== '') terms.push(`'${literal.replaceAll("'", "''")}'`)
    literal = ''
  }
  for (const piece of pieces) {
    if (typeof piece === 'string') literal += piece
    else {
      endLiteral()
      terms.push(`(${piece.sql})`)
    }
  }
  endLiteral()
  return terms.join(' || ')
}

declare const written: unique symbol
/** The JSON text of a value; the type parameter is the value's type. */
export type Json<Value> = string & { readonly [written]?: Value }

/** The JSON text of an object with added fields. */
export const withFields = <Value, More extends object>(json: Json<Value>, more: More): Json<Value & More> =>
  `${json.slice(0, -1)},${JSON.stringify(more).slice(1)}`

/** Columns besides the JSON of a row: the SQL of each, whose text must not contain a tab, and its parser. */
type Sides = Readonly<Record<string, readonly [sql: string, parse: (text: string) => unknown]>>
type SidesOf<S extends Sides> = { readonly [K in keyof S]: ReturnType<S[K][1]> }

/** Rows of a list whose JSON is written by PostgreSQL and passed on unchanged. */
type JsonLines<Row> = {
  /** The SQL of a row as one line of text: the additional columns, then its JSON, separated by tabs. */
  readonly line: string
  readonly parse: (line: string) => Row
}

/**
 * Lines of JSON for the most requested lists: concatenating text in PostgreSQL costs a third of building the
 * JSON from columns in Node. The values that the service itself needs are columns besides the JSON.
 */
export function jsonLines<S extends Sides, F extends Fields>(
  sides: S,
  fields: F,
): JsonLines<SidesOf<S> & { readonly json: Json<ObjectOf<F>> }> {
  const columns = Object.entries(sides)
  return {
    line: [...columns.map(([, [sql]]) => `(${sql})`), jsonOf(fields)].join(` || E'\\t' || `),
    parse(line) {
      let start = 0
      const row: Record<string, unknown> = {}
      for (const [name, [, parse]] of columns) {
        const end = line.indexOf('\t', start)
        row[name] = parse(line.slice(start, end))
        start = end + 1
      }
      row['json'] = line.slice(start)
      return row as SidesOf<S> & { json: Json<ObjectOf<F>> }
    },
  }
}

/** SQL that joins the column `line` of all rows, in an order, into one value for `readLines`. */
export const joinLines = (order: string): string => `string_agg(line, E'\\n' order by ${order}) as lines`

/**
 * Runs a statement that joins its rows into one text, `lines`. Transferring a page as one value costs a third
 * of transferring each row as a message.
 */
export async function readLines<Row>(
  database: Queryable,
  { parse }: JsonLines<Row>,
  statement: string,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const [row] = await read(database, joinedLines, statement, parameters)
  return row?.lines == null ? [] : row.lines.split('\n').map(parse)
}

const joinedLines = z.strictObject({ lines: z.string().nullable() })
