import type { ReactNode } from 'react'

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
  /** Whether the server can sort by it. */
  sortable?: boolean
}

/** The hidden columns: the user's choice, else the columns' defaults. */
export function hiddenIds<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | undefined,
): Set<string> {
  return new Set(chosen ?? columns.filter((column) => column.hidden).map((column) => column.id))
}
