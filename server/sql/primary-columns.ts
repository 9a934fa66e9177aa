import { columnTypes } from '../lake/tables.ts'
import { aliasOfKey } from '../primary/chains.ts'
import type { Texts } from '../primary/texts.ts'
import type { CatalogueColumn } from '../store/columns.ts'
import { moment, type Field } from './store-tables.ts'
import { numeric, timeOf, type DescribedColumn } from './tables.ts'

/** A column of a table of the primary network, and how it is made from the lake's and from the store's rows. */
export type PrimaryColumn = DescribedColumn & {
  /** An expression over the lake's columns. */
  readonly lake: string
  /** What is selected from the store. */
  readonly selected: string
  /** The value from a row of what is selected. */
  readonly store: (row: Row, texts: Texts) => Field
}
export type Row = Readonly<Record<string, unknown>>

/** What SQL shows of a column of the catalogue, or computes of it. */
export type ToColumns = (
  column: Pick<CatalogueColumn, 'name' | 'kind' | 'meaning'>,
) => readonly PrimaryColumn[]

/** A number as its name. */
export const named =
  (names: ReadonlyMap<number, string>, description: string): ToColumns =>
  ({ name }) => {
    const cases = [...names].map(([value, text]) => `when ${value} then '${text}'`).join(' ')
    const store = (row: Row) => (row[name] === null ? null : (names.get(Number(row[name])) ?? null))
    return [{ name, type: 'VARCHAR', description, lake: `case ${name} ${cases} end`, selected: name, store }]
  }

/**
 * A column as it is. The name of an id ends with `_id`, a time is a timestamp, too, and integers of 64 bits have 128, with
 * sign, so that sums and differences stay exact.
 */
export const asColumns: ToColumns = ({ name, kind, meaning: description = '' }) => {
  const quoted = `"${name}"`
  const plain: PrimaryColumn = {
    name,
    type: columnTypes[kind],
    description,
    lake: quoted,
    selected: quoted,
    store: (row) => (row[name] ?? null) as Field,
  }
  const ofBytes =
    (text: (bytes: Buffer, texts: Texts) => string): PrimaryColumn['store'] =>
    (row, texts) => {
      const bytes = row[name] as Buffer | null
      return bytes === null ? null : text(bytes, texts)
    }
  switch (kind) {
    case 'word':
    case 'difference':
      return [{ ...plain, type: numeric }]
    case 'seconds': {
      const store = (row: Row) => moment((row[name] ?? null) as bigint | null)
      return [{ ...plain, ...timeOf(name, description), store }, plain]
    }
    case 'id':
    case 'node': {
      const shownName = /(^|_)id$/.test(name) ? name : `${name}_id`
      return [{ ...plain, name: shownName, store: ofBytes((bytes, texts) => texts[kind](bytes)) }]
    }
    case 'addresses': {
      // A list of 20 bytes each, which the store gives as text.
      const store: PrimaryColumn['store'] = (row, texts) => {
        const keys = String(row[name] ?? '').match(/[0-9a-f]{2,}/g) ?? []
        return `[${texts.addresses(keys.map((key) => Buffer.from(key, 'hex'))).join(', ')}]`
      }
      return [{ ...plain, selected: `${quoted}::text`, store }]
    }
    case 'chain':
      return [{ ...plain, store: (row) => aliasOfKey(Number(row[name])) }]
    default:
      return [plain]
  }
}
