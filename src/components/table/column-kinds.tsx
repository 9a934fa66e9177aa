import type { ReactNode } from 'react'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { isoTime } from '../../lib/time.ts'
import { Hash } from '../hash.tsx'
import { TimeAgo } from '../time-ago.tsx'
import type { Column } from './columns.ts'

/** The options of a column: its width, its place on a phone, whether it is hidden at first. */
export type ColumnOptions<Row> = Partial<Omit<Column<Row>, 'id' | 'header' | 'cell' | 'text'>>

/** The value of a row; undefined or empty shows a dash on the page and nothing in an export. */
export type Value<Row, T> = (row: Row) => T | undefined

/**
 * What a cell shows of a row without a value. In a row without headings it says nothing, so a table hides it there by its
 * class.
 */
export const dash = <span className="no-value text-muted">–</span>

/** A column whose cell and exported text are two forms of one value. All other kinds are built with it. */
export function column<Row, T>(
  id: string,
  header: string,
  value: Value<Row, T>,
  forms: { show: (value: T, row: Row) => ReactNode; text?: (value: T) => string },
  rest: ColumnOptions<Row> = {},
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

/** Text or a small number, unchanged. */
export const textColumn = <Row,>(
  id: string,
  header: string,
  value: Value<Row, string | number>,
  rest?: ColumnOptions<Row>,
) => column(id, header, value, { show: (text) => text }, rest)

/** A time in Unix seconds: its age on the page, ISO 8601 in an export. */
export const timeColumn = <Row,>(
  id: string,
  header: string,
  at: Value<Row, number>,
  rest?: ColumnOptions<Row>,
) => column(id, header, at, { show: (seconds) => <TimeAgo at={seconds} />, text: isoTime }, rest)

type CountOptions<Row> = ColumnOptions<Row> & {
  /** The counted noun, shown on a phone, which has no headings: “transaction”. */
  noun?: string
}

/** A whole number, with separators on the page and without in an export. */
export function countColumn<Row>(
  id: string,
  header: string,
  value: Value<Row, number | bigint | string>,
  { noun, ...rest }: CountOptions<Row> = {},
): Column<Row> {
  const show = (whole: number | bigint | string): ReactNode => (
    <>
      {formatInteger(whole)}
      {noun !== undefined && <span className="md:hidden"> {plural(Number(whole), noun)}</span>}
    </>
  )
  return column(id, header, value, { show }, { align: 'right', ...rest })
}

/** A share in percent with `digits` decimal places on the page, zeros included: one below the other they line up. */
export const percentColumn = <Row,>(
  id: string,
  header: string,
  value: Value<Row, number>,
  digits: number,
  rest?: ColumnOptions<Row>,
) => column(id, header, value, { show: (share) => `${share.toFixed(digits)} %` }, { align: 'right', ...rest })

type HashOptions<Row> = ColumnOptions<Row> & {
  /** The path of the linked page. */
  to?: (row: Row) => string
}

/** A hash or id, shortened on the page; `name` says what it is: “block hash”. */
export const hashColumn = <Row,>(
  id: string,
  header: string,
  value: Value<Row, string>,
  name: string,
  { to, ...rest }: HashOptions<Row> = {},
) =>
  column(id, header, value, { show: (text, row) => <Hash value={text} name={name} to={to?.(row)} /> }, rest)
