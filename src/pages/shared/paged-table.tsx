import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { listQuery } from '../../api/list.ts'
import type { ListPage } from '../../api/pages.ts'
import type { ServerFile } from '../../components/table/run-export.ts'
import { InfiniteTable, rowsOfPages } from './infinite-table.tsx'

type Props<Page extends ListPage, Row> = Omit<
  ComponentProps<typeof InfiniteTable<Row>>,
  'query' | 'rows' | 'nouns' | 'source'
> & {
  list: ReturnType<typeof listQuery<Page, Row>>
  /** The name of an exported file without its ending; without it the list is not exported. */
  file?: string
  /** Whether a row is of the past: such rows come after the others. */
  isOver?: (row: Row) => boolean
  files?: readonly ServerFile[]
}

/** A paged list with filters (`tools`); while another filter loads, the previous rows are shown dimmed. */
export function PagedTable<Page extends ListPage, Row>(props: Props<Page, Row>) {
  const { list, file, files = [], isOver, noun, ...table } = props
  const query = useInfiniteQuery(list)
  return (
    <div aria-busy={query.isPlaceholderData} className={query.isPlaceholderData ? 'opacity-60' : ''}>
      <InfiniteTable
        {...table}
        query={query}
        rows={rowsOfPages(query.data, list.rowsOf, isOver)}
        noun={noun}
        nouns={`${noun}s`}
        {...(file !== undefined && { source: { name: file, pages: list.all, files } })}
      />
    </div>
  )
}
