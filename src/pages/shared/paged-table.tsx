import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { InfiniteTable, rowsOfPages } from './infinite-table.tsx'

/** The parts of a query that a list needs. */
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

type Props<Page, Row> = Omit<ComponentProps<typeof InfiniteTable<Row>>, 'query' | 'rows' | 'nouns'> & {
  query: PagesQuery<Page>
  /** The rows of a page. */
  rowsOf: (page: Page) => readonly Row[]
}

/**
 * A paged list with filters (`tools`), which stay in every state; while another filter loads, the previous rows are
 * shown dimmed.
 */
export function PagedTable<Page, Row>({ query, rowsOf, noun, tools, ...table }: Props<Page, Row>) {
  const rows = rowsOfPages(query.data, rowsOf)
  const untabled = query.data === undefined
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
      {untabled && tools !== undefined && (
        <div className="flex min-h-9 flex-wrap items-center gap-2 pb-2">{tools}</div>
      )}
      <InfiniteTable {...table} query={query} rows={rows} noun={noun} nouns={`${noun}s`} tools={tools} />
    </div>
  )
}
