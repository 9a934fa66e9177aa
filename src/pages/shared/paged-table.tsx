import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { listQuery, ListPage } from '../../api/list.ts'
import type { ServerFile } from '../../components/table/run-export.ts'
import { InfiniteTable, rowsOfPages } from './infinite-table.tsx'

type Props<Page extends ListPage, Row> = Omit<
  ComponentProps<typeof InfiniteTable<Row>>,
  'query' | 'rows' | 'nouns' | 'source'
> & {
  list: ReturnType<typeof listQuery<Page, Row>>
  /** The name of an exported file without its ending; without it the list is not exported. */
  file?: string
  files?: readonly ServerFile[]
}

/**
 * A paged list with filters (`tools`), which stay in every state; while another filter loads, the previous rows are
 * shown dimmed.
 */
export function PagedTable<Page extends ListPage, Row>(props: Props<Page, Row>) {
  const { list, file, files = [], noun, tools, ...table } = props
  const query = useInfiniteQuery(list)
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
      {query.data === undefined && tools !== undefined && (
        <div className="flex min-h-9 flex-wrap items-center gap-2 pb-2">{tools}</div>
      )}
      <InfiniteTable
        {...table}
        query={query}
        rows={rowsOfPages(query.data, list.rowsOf)}
        noun={noun}
        nouns={`${noun}s`}
        tools={tools}
        {...(file !== undefined && { source: { name: file, pages: list.all, files } })}
      />
    </div>
  )
}
