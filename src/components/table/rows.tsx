import { memo, useRef, type CSSProperties, type ReactNode } from 'react'
import type { PagedRows } from '../../lib/paging.ts'
import { useAlignedDecimals } from './aligned-decimals.ts'
import type { Column, NarrowPlace } from './columns.ts'

/** The properties of every table body. */
export type BodyProps<Row> = {
  rows: PagedRows<Row>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  height: number
  narrow: boolean
  /** The row that the Tab key focuses. */
  active: number
  whole?: Whole<Row> | undefined
  /** How many of the rows are drawn already: the place of the others is kept. */
  drawn: number
}

/** The content of a row that is one cell over all columns, undefined for a usual row; always the same function. */
export type Whole<Row> = (row: Row, narrow: boolean) => ReactNode | undefined

/** Three columns for two lines of two cells, so that a long cell on the right takes nothing from the other line. */
const areas: Record<NarrowPlace, CSSProperties> = {
  title: { gridArea: '1 / 1 / 2 / 3' },
  side: { gridArea: '1 / 3', textAlign: 'right' },
  below: { gridArea: '2 / 1' },
  belowSide: { gridArea: '2 / 2 / 3 / 4', textAlign: 'right' },
}
/** The second line of a row that has a single cell there. */
const wholeLine: CSSProperties = { gridArea: '2 / 1 / 3 / 4' }

function areaOf(place: NarrowPlace, columns: readonly { readonly narrow?: NarrowPlace }[]): CSSProperties {
  const isAlone = place === 'below' && !columns.some(({ narrow }) => narrow === 'belowSide')
  return isAlone ? wholeLine : areas[place]
}

type RowProps<Row> = {
  row: Row
  index: number
  columns: readonly Column<Row>[]
  height: number
  narrow: boolean
  active: boolean
  whole: Whole<Row> | undefined
}

function PlainRow<Row>({ row, index, columns, height, narrow, active, whole }: RowProps<Row>) {
  const content = whole?.(row, narrow)
  return (
    <tr
      data-row={index}
      aria-rowindex={index + 2}
      tabIndex={active ? 0 : -1}
      style={{ height }}
      className={`border-b border-line -outline-offset-2! hover:bg-hover ${
        narrow
          ? 'grid grid-cols-[minmax(0,1fr)_auto_minmax(auto,min-content)] content-center gap-x-2 gap-y-0.5'
          : ''
      }`}
    >
      {content !== undefined && (
        <td colSpan={columns.length} className={narrow ? 'col-span-full p-0' : 'p-0'}>
          {content}
        </td>
      )}
      {(content === undefined ? columns : []).map((column) => (
        <td
          key={column.id}
          {...(narrow && column.narrow && { style: areaOf(column.narrow, columns) })}
          className={
            narrow
              ? `min-w-0 truncate p-0 ${column.narrow === 'title' ? '' : 'text-muted [&_.no-value]:hidden'}`
              : `truncate px-3 first:pl-0 last:pr-0 ${column.align === 'right' ? 'text-right' : ''}`
          }
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

/** One row; it renders only when its own data, index or columns change. */
const TableRow = memo(PlainRow) as typeof PlainRow

/** The row at an index; null if it is not loaded. */
export function rowAt<Row>(
  { rows, columns, rowKey, height, narrow, active, whole }: BodyProps<Row>,
  index: number,
): ReactNode {
  const row = rows.at(index)
  return row === undefined ? null : (
    <TableRow
      key={rowKey(row)}
      row={row}
      index={index}
      columns={columns}
      height={height}
      narrow={narrow}
      active={index === active}
      whole={whole}
    />
  )
}

/** All rows, for tables too short to virtualize. */
export function PlainBody<Row>(props: BodyProps<Row>) {
  const { rows, height, drawn } = props
  const body = useRef<HTMLTableSectionElement>(null)
  useAlignedDecimals(body)
  return (
    <tbody ref={body}>
      {Array.from({ length: drawn }, (_, index) => rowAt(props, index))}
      {drawn < rows.count && <tr aria-hidden="true" style={{ height: (rows.count - drawn) * height }} />}
    </tbody>
  )
}
