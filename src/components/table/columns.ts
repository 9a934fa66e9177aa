import type { ReactNode } from 'react'

/** Where a cell stands in the two lines that a row becomes under 768 px. */
export type NarrowPlace = 'title' | 'side' | 'below' | 'belowSide'

/** One column of a table: how its cells are drawn, and what an export writes. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The text of an export's cell: exact figures, ISO times. Absent: not exported. */
  text?: (row: Row) => string
  /** A CSS width; columns without one share what is left. */
  width?: string
  align?: 'right'
  /** Cannot be hidden. */
  always?: boolean
  /** Hidden until it is chosen. */
  hidden?: boolean
  /** Left out under 768 px when absent. */
  narrow?: NarrowPlace
  /** The server can sort by it. */
  sortable?: boolean
}

/** The columns that are hidden: as the person chose, else as the columns say. */
export function hiddenIds<Row>(
  columns: readonly Column<Row>[],
  chosen: readonly string[] | undefined,
): Set<string> {
  return new Set(chosen ?? columns.filter((column) => column.hidden).map((column) => column.id))
}
