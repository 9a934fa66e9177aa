import type { Texts } from '../primary/texts.ts'
import { column, moment, type Field } from './store-tables.ts'
import type { DescribedColumn } from './tables.ts'

/** How a column is made from the lake's and from the store's. */
export type PrimaryColumn = DescribedColumn & {
  /** An expression over the lake's columns. */
  readonly lake: string
  /** The value from a row of the store. */
  readonly store: (row: Row, texts: Texts) => Field
}
export type Row = Readonly<Record<string, unknown>>

export const primaryColumn = (
  name: string,
  type: string,
  description: string,
  lake: string,
  store: PrimaryColumn['store'],
): PrimaryColumn => ({
  ...column(name, type, description),
  lake,
  store,
})

export const asIs = (name: string, type: string, description = '', from = name): PrimaryColumn =>
  primaryColumn(name, type, description, `"${from}"`, (row) => (row[from] ?? null) as Field)
const ofBytes = (name: string, from: string, text: (bytes: Buffer, texts: Texts) => string, more = '') =>
  primaryColumn(name, 'VARCHAR', more, from, (row, texts) => {
    const bytes = row[from] as Buffer | null
    return bytes === null ? null : text(bytes, texts)
  })
export const id = (name: string, from = name, description = ''): PrimaryColumn =>
  ofBytes(name, from, (bytes, texts) => texts.id(bytes), description)
export const node = (name: string, from: string, description = ''): PrimaryColumn =>
  ofBytes(name, from, (bytes, texts) => texts.node(bytes), description)
export const time = (name: string, from: string, description: string): PrimaryColumn =>
  primaryColumn(name, 'TIMESTAMP', description, `make_timestamp(${from} * 1000000)`, (row) =>
    moment((row[from] ?? null) as bigint | null),
  )
export const placed = [
  time('time', 'ts', 'of its block, UTC'),
  asIs('ts', 'BIGINT', 'Unix seconds of its block'),
] as const

/** A number as its name. */
export function named(
  name: string,
  from: string,
  names: ReadonlyMap<number, string>,
  description: string,
): PrimaryColumn {
  const cases = [...names].map(([value, text]) => `when ${value} then '${text}'`).join(' ')
  return primaryColumn(name, 'VARCHAR', description, `case ${from} ${cases} end`, (row) =>
    row[from] === null ? null : (names.get(Number(row[from])) ?? null),
  )
}

/** A list of 20 bytes each, which the store gives as text. */
export function addresses(name: string, from: string, description: string): PrimaryColumn {
  return primaryColumn(name, 'VARCHAR[]', description, from, (row, texts) => {
    const keys = String(row[from] ?? '').match(/[0-9a-f]{2,}/g) ?? []
    return `[${texts.addresses(keys.map((key) => Buffer.from(key, 'hex'))).join(', ')}]`
  })
}
