import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { isUnsupported } from '../../api/errors.ts'
import { DataTable, type More } from '../../components/table/data-table.tsx'
import { TableSkeleton } from '../../components/table/table.tsx'
import { pagedRows, type PagedRows } from '../../lib/paging.ts'
import { Failed } from './failed.tsx'
import { NodeNote } from './node-note.tsx'

/** The rows of a query's pages as one list. */
export const rowsOfPages = <Page, Row>(
  data: InfiniteData<Page, unknown> | undefined,
  rowsOf: (page: Page) => readonly Row[],
  isOver?: (row: Row) => boolean,
): PagedRows<Row> => {
  const pages = data?.pages.map(rowsOf) ?? []
  if (!isOver) return pagedRows(pages)
  return pagedRows(
    [false, true].flatMap((over) => pages.map((rows) => rows.filter((row) => isOver(row) === over))),
  )
}

type Query = Pick<
  UseInfiniteQueryResult,
  | 'isPending'
  | 'error'
  | 'data'
  | 'refetch'
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
  | 'fetchNextPage'
>

/** How the next page of a query comes. */
export const moreOf = (query: Query, nouns: string, held = false): More => ({
  has: query.hasNextPage,
  loading: query.isFetchingNextPage,
  load: () => void query.fetchNextPage(),
  held,
  ...(query.isFetchNextPageError && {
    failed: (
      <Failed
        title={`The next ${nouns} could not be loaded.`}
        error={query.error}
        onRetry={query.fetchNextPage}
      />
    ),
  }),
})

type Props<Row> = Omit<ComponentProps<typeof DataTable<Row>>, 'more' | 'nouns' | 'instead'> & {
  query: Query
  /** The rows' noun in the plural: “blocks”. */
  nouns: string
  /** Shown if there are no rows. */
  empty: ReactNode
  /** Whether further pages wait for their button. */
  held?: boolean
  /** The place of the rows before the first page. */
  skeleton?: ReactNode
}

/** Whether a row is of the index: a list of the node has none that is. */
const isIndexed = (row: unknown): boolean | undefined =>
  typeof row === 'object' && row !== null && 'isIndexed' in row ? row.isIndexed !== false : undefined

/**
 * A list that loads further pages on scrolling, with its states: loading, failed, data, failed page, empty. Its filters
 * stay in every state: what a filter has broken, another one mends.
 */
export function InfiniteTable<Row>({
  query,
  nouns,
  empty,
  held = false,
  skeleton = <TableSkeleton count={20} />,
  ...table
}: Props<Row>) {
  const failed =
    query.isPending || query.data ? undefined : (
      <Failed title={`The ${nouns} could not be loaded.`} query={query} />
    )
  // There is nothing to filter or to export of what the service does not offer.
  if (failed && isUnsupported(query.error)) return failed
  return (
    <>
      <NodeNote isIndexed={table.rows.count > 0 ? isIndexed(table.rows.at(0)) : undefined} />
      <DataTable
        {...table}
        nouns={nouns}
        instead={query.isPending ? skeleton : failed}
        more={moreOf(query, nouns, held)}
      />
      {query.data && table.rows.count === 0 && !query.hasNextPage && empty}
    </>
  )
}
