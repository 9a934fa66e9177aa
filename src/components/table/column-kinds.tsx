import type { ReactNode } from 'react'
import { formatInteger, formatNumber } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { isoTime } from '../../lib/time.ts'
import { Hash } from '../hash.tsx'
import { TimeAgo } from '../time-ago.tsx'
import type { Column } from './columns.ts'

/** What a column may say beside its values: its width, its place on a phone, whether it is hidden at first. */
export type Rest<Row> = Partial<Omit<Column<Row>, 'id' | 'header' | 'cell' | 'text'>>

/** The value of a row; undefined or empty if it has none, which is a dash on the page and nothing in an export. */
export type Value<Row, T> = (row: Row) => T | undefined

/** The cell of a row without a value. */
export const dash = <span className="text-muted">–</span>

/** A column whose cells and exported texts are two forms of one value. Every other kind is made from it. */
export function column<Row, T>(
  id: string,
  header: string,
  value: Value<Row, T>,
  forms: { show: (value: T, row: Row) => ReactNode; text?: (value: T) => string },
  rest: Rest<Row> = {},
): Column<Row> {
  const { show, text = String } = forms
  return {
    ...rest,
    id,
    header,
    cell: (row) => {
      const shown = value(row)
      return shown === undefined || shown === '' ? dash : show(shown, row)
    },
    text: (row) => {
      const exported = value(row)
      return exported === undefined ? '' : text(exported)
    },
  }
}

/** Text or a small number as it is. */
export const textColumn = <Row,>(
  id: string,
  header: string,
  value: Value<Row, string | number>,
  rest?: Rest<Row>,
) => column(id, header, value, { show: (text) => text }, rest)

/** A moment in Unix seconds: its age on the page, ISO 8601 in an export. */
export const timeColumn = <Row,>(id: string, header: string, at: Value<Row, number>, rest?: Rest<Row>) =>
  column(id, header, at, { show: (seconds) => <TimeAgo at={seconds} />, text: isoTime }, rest)

type CountRest<Row> = Rest<Row> & {
  /** What is counted, shown where a phone has no heading: “transaction”. */
  noun?: string
  /** In the font of amounts, for figures of many digits. */
  mono?: boolean
}

/** A whole number, with separators on the page and without in an export. */
export function countColumn<Row>(
  id: string,
  header: string,
  value: Value<Row, number | bigint | string>,
  { noun, mono = false, ...rest }: CountRest<Row> = {},
): Column<Row> {
  const show = (whole: number | bigint | string): ReactNode => (
    <>
      {mono ? <span className="font-mono text-mono">{formatInteger(whole)}</span> : formatInteger(whole)}
      {noun !== undefined && <span className="md:hidden"> {plural(Number(whole), noun)}</span>}
    </>
  )
  return column(id, header, value, { show }, { align: 'right', ...rest })
}

/** A share in percent, rounded to `digits` decimal places on the page. */
export const percentColumn = <Row,>(
  id: string,
  header: string,
  value: Value<Row, number>,
  digits: number,
  rest?: Rest<Row>,
) =>
  column(
    id,
    header,
    value,
    { show: (share) => `${formatNumber(share, digits)} %` },
    { align: 'right', ...rest },
  )

type HashRest<Row> = Rest<Row> & {
  /** The page that it links to. */
  to?: (row: Row) => string
}

/** A hash or id, shortened on the page; `name` says what it is: “block hash”. */
export const hashColumn = <Row,>(
  id: string,
  header: string,
  value: Value<Row, string>,
  name: string,
  { to, ...rest }: HashRest<Row> = {},
) =>
  column(id, header, value, { show: (text, row) => <Hash value={text} name={name} to={to?.(row)} /> }, rest)
