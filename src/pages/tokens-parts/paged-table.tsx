import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { ExportSource } from '../../components/table/export-menu.tsx'
import type { TableProps } from '../../components/table/table.tsx'
import { pagedRows } from '../../lib/paging.ts'
import { Failed } from '../parts/failed.tsx'

/** What a list needs of its query. */
export type PagesQuery<Page> = Pick<
  UseInfiniteQueryResult<InfiniteData<Page>>,
  | 'data'
  | 'error'
  | 'isPending'
  | 'isPlaceholderData'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'hasNextPage'
  | 'fetchNextPage'
  | 'refetch'
>

type Props<Page, Row> = Omit<TableProps<Row>, 'rows'> & {
  query: PagesQuery<Page>
  /** The rows of a page; the same function at every drawing. */
  rowsOf: (page: Page) => readonly Row[]
  /** One row: “token”. */
  noun: string
  /** Shown when the list has no row at all. */
  empty: ReactNode
  source: ExportSource<Row>
  /** Filters, left of the table's own buttons; they stay whatever the list is doing. */
  tools?: ReactNode
  /** How many rows stand in for those to come. */
  expected?: number
}

/** A list of many pages in all its states: loading, failed, not offered, empty, and as a table. */
export function PagedTable<Page, Row>(props: Props<Page, Row>) {
  const { query, rowsOf, noun, empty, source, tools, expected = 18, ...table } = props
  const rows = useMemo(() => pagedRows(query.data?.pages.map(rowsOf) ?? []), [query.data, rowsOf])
  // The line of the table's own buttons, and its header, have their places in every state.
  const instead = query.isPending ? (
    <SkeletonRows count={expected + 1} />
  ) : query.error && !query.data ? (
    <Failed
      title={`The ${noun}s could not be loaded.`}
      error={query.error}
      onRetry={() => void query.refetch()}
    />
  ) : rows.count === 0 && !query.hasNextPage ? (
    empty
  ) : undefined
  if (instead !== undefined)
    return (
      <>
        <div className="flex min-h-9 flex-wrap items-center gap-2 pb-2">{tools}</div>
        {instead}
      </>
    )
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
      <DataTable
        {...table}
        noun={noun}
        rows={rows}
        source={source}
        tools={tools}
        more={{
          has: query.hasNextPage,
          loading: query.isFetchingNextPage,
          load: () => void query.fetchNextPage(),
          ...(query.isFetchNextPageError && {
            failed: (
              <Failed
                title={`The next ${noun}s could not be loaded.`}
                error={query.error}
                onRetry={() => void query.fetchNextPage()}
              />
            ),
          }),
        }}
      />
    </div>
  )
}
