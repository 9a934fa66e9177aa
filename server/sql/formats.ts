import { JsonDuckDBValueConverter, type DuckDBDataChunk, type DuckDBType, type Json } from '@duckdb/node-api'
import type { NotKept } from './not-kept.ts'

/** How rows become bytes: what is before, between and after them. */
export type RowFormat = {
  head(columns: readonly { readonly name: string; readonly type: DuckDBType }[]): string | Uint8Array
  /** The first rows of a chunk, at least one. */
  rows(chunk: DuckDBDataChunk, count: number, isFirst: boolean): string | Uint8Array
  /** `failure` is why there are no more rows, in the formats that can say so. */
  tail(end: Ending): string | Uint8Array
}

export type Ending = {
  readonly rowCount: number
  readonly isTruncated: boolean
  readonly elapsedMilliseconds: number
  readonly failure?: string
  readonly notKept?: readonly NotKept[]
}

const rowsOf = (chunk: DuckDBDataChunk, count: number): (readonly Json[])[] =>
  chunk.convertRows(JsonDuckDBValueConverter).slice(0, count)

export const jsonFormat: RowFormat = {
  head: (columns) =>
    `{"columns":${JSON.stringify(columns.map(({ name, type }) => ({ name, type: type.toString() })))},"rows":[`,
  rows: (chunk, count, isFirst) =>
    `${isFirst ? '' : ','}\n${rowsOf(chunk, count)
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
  rows: (chunk, count) => rowsOf(chunk, count).map(lineOf).join(''),
  tail: () => '',
}
