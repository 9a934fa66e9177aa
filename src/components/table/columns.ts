import type { ReactNode } from 'react'
import type { PagedRows } from '../../lib/paging.ts'

/** The position of a cell in the two lines of a row below 768 px. */
export type NarrowPlace = 'title' | 'side' | 'below' | 'belowSide'

/** A column of a table: how its cells are rendered, and the text of an export. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The text in an export: exact figures, ISO times. Without it the column is not exported. */
  text?: (row: Row) => string
  /** A CSS width; columns without one share the remaining width. */
  width?: string
  align?: 'right'
  /** Cannot be hidden. */
  always?: boolean
  /** Hidden until it is chosen. */
  hidden?: boolean
  /** The position below 768 px; without one the column is left out. */
  narrow?: NarrowPlace
  /** Whether a row's value says nothing, such as an amount of 0; by default an empty text. */
  isBlank?: (row: Row) => boolean
  /** Whether the server can sort by it. */
  sortable?: boolean
}

/** The least width of a column without one, in pixels: room for an amount, or for a short hash. */
export const minWidth = { figure: 168, text: 144 } as const

/** The rows that decide whether a column is empty: about those that are seen first. */
const looked = 50

/** Whether a column has nothing in any of the first rows. One that is not exported is not known to be empty. */
function isEmptyOn<Row>({ text, isBlank }: Column<Row>, rows: PagedRows<Row>): boolean {
  if ((text ?? isBlank) === undefined || rows.count === 0) return false
  return Array.from({ length: Math.min(looked, rows.count) }, (_, index) => rows.at(index)).every(
    (row) => row === undefined || (isBlank ? isBlank(row) : text?.(row) === ''),
  )
}

/** The hidden columns: the user's choice, else the columns' defaults and those that are empty on all rows. */
export function hiddenIds<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | undefined,
  rows: PagedRows<Row>,
): Set<string> {
  if (chosen !== undefined) return new Set(chosen)
  return new Set(
    columns
      .filter((column) => column.hidden === true || (column.always !== true && isEmptyOn(column, rows)))
      .map(({ id }) => id),
  )
}
