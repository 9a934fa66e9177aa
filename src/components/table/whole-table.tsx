import { useMemo, type ComponentProps } from 'react'
import { onePage, pagedRows } from '../../lib/paging.ts'
import { DataTable, noMore } from './data-table.tsx'
import { TableSkeleton } from './table.tsx'

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'rows' | 'more' | 'source' | 'instead'> & {
  /** Undefined while they load. */
  rows: readonly Row[] | undefined
  /** The number of placeholder rows while they load. */
  skeletonRows?: number
  /** Whether the count says that these are all rows. */
  all?: boolean
  /** The name of an exported file without its ending; without it the rows are not exported. */
  file?: string
}

/** The table of a list that is there whole. */
export function WholeTable<Row>({ rows, skeletonRows = 18, all = false, file, ...table }: Props<Row>) {
  return (
    <DataTable
      {...table}
      rows={useMemo(() => pagedRows(rows ? [rows] : []), [rows])}
      instead={rows ? undefined : <TableSkeleton count={skeletonRows} />}
      {...(all && { more: noMore })}
      {...(file !== undefined && { source: { name: file, pages: () => onePage(rows ?? []) } })}
    />
  )
}
