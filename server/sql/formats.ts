import { JsonDuckDBValueConverter, type DuckDBType, type Json } from '@duckdb/node-api'
import type { Rows } from '../lake/whole-rows.ts'
import type { NotKept } from './not-kept.ts'

/** How rows become bytes: what is before, between and after them. */
export type RowFormat = {
  head(columns: readonly { readonly name: string; readonly type: DuckDBType }[]): string | Uint8Array
  /** The first `count` of some rows, at least one. */
  rows(rows: Rows, count: number, isFirst: boolean): string | Uint8Array
  /** `failure` is why there are no more rows, in the formats that can say so. */
  tail(end: Ending): string | Uint8Array
}

export type Ending = {
  readonly rowCount: number
  /** Whether rows are lacking, because of the limit of rows or of a failure. */
  readonly isTruncated: boolean
  readonly elapsedMilliseconds: number
  readonly failure?: string
  readonly notKept?: readonly NotKept[]
}

const rowsOf = (rows: Rows, count: number): (readonly Json[])[] =>
  rows.rows(JsonDuckDBValueConverter).slice(0, count)

export const jsonFormat: RowFormat = {
  head: (columns) =>
    `{"columns":${JSON.stringify(columns.map(({ name, type }) => ({ name, type: type.toString() })))},"rows":[`,
  rows: (rows, count, isFirst) =>
    `${isFirst ? '' : ','}\n${rowsOf(rows, count)
      .map((row) => JSON.stringify(row))
      .join(',\n')}`,
  tail: (end) => `\n],${JSON.stringify(end).slice(1)}\n`,
}

const needsQuotes = /[",\r\n]/

/** A value other than null as text: lists and structs are JSON. */
export const textOf = (value: Json): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** A field of RFC 4180. Null is empty, and the empty text is `""`. */
function field(value: Json): string {
  if (value === null) return ''
  const text = textOf(value)
  return text === '' || needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const lineOf = (values: readonly Json[]): string => `${values.map(field).join(',')}\r\n`

export const csvFormat: RowFormat = {
  head: (columns) => lineOf(columns.map(({ name }) => name)),
  rows: (rows, count) => rowsOf(rows, count).map(lineOf).join(''),
  tail: () => '',
}
