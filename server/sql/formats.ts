import type { Json } from '@duckdb/node-api'
import type { SqlFormat } from '../../contract/sql/sql.ts'

/** How rows become text: what is before, between and after them. */
export type RowFormat = {
  head(columns: readonly { readonly name: string; readonly type: string }[]): string
  rows(rows: readonly (readonly Json[])[], isFirst: boolean): string
  /** `failure` is why there are no more rows, in the formats that can say so. */
  tail(end: Ending): string
}

export type Ending = {
  readonly rowCount: number
  readonly isTruncated: boolean
  readonly elapsedMilliseconds: number
  readonly failure?: string
}

const json: RowFormat = {
  head: (columns) => `{"columns":${JSON.stringify(columns)},"rows":[`,
  rows: (rows, isFirst) => `${isFirst ? '' : ','}\n${rows.map((row) => JSON.stringify(row)).join(',\n')}`,
  tail: (end) => `\n],${JSON.stringify(end).slice(1)}\n`,
}

const needsQuotes = /[",\r\n]/

/** A field of RFC 4180. Null is empty, and the empty text is `""`. */
function field(value: Json): string {
  if (value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text === '' || needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const lineOf = (values: readonly Json[]): string => `${values.map(field).join(',')}\r\n`

const csv: RowFormat = {
  head: (columns) => lineOf(columns.map(({ name }) => name)),
  rows: (rows) => rows.map(lineOf).join(''),
  tail: () => '',
}

export const rowFormats = { json, csv } satisfies Partial<Record<SqlFormat, RowFormat>>
