import { hashKey, infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import { readPages, type ListPage } from './pages.ts'

/** The page of a list to read; without a page token the first. */
export type Paging = { pageSize: number; pageToken: string | undefined }

/** Shows an earlier list's pages while those of another filter load. */
type Placeholder = <Data>(
  before: Data | undefined,
  query: { readonly queryKey: QueryKey } | undefined,
) => Data | undefined

type List<Page extends ListPage, Row> = {
  key: QueryKey
  /** Reads one page. */
  read: (paging: Paging, signal?: AbortSignal) => Promise<Page>
  /** The rows of a page. */
  rowsOf: (page: Page) => readonly Row[]
  /** Rows of a displayed page. */
  pageSize?: number
  /** Rows of a page when all pages are read. */
  largePageSize?: number
  /** Whether leaving the page cancels reading: for expensive reads that no loader has started. */
  cancels?: boolean
  placeholderData?: Placeholder
  staleTime?: number
}

/**
 * The query options of a paged list, with `rowsOf` for the rows of a page and `all`, which reads every page for an
 * export. An abort of the signal rejects with its reason.
 */
export function listQuery<Page extends ListPage, Row>(list: List<Page, Row>) {
  const { key, read, rowsOf, pageSize = 50, largePageSize = 100, cancels = false, ...options } = list
  return {
    ...infiniteQueryOptions({
      ...options,
      queryKey: key,
      // With the signal, leaving the previous page would cancel a query that a loader has started.
      queryFn: (context) =>
        read({ pageSize, pageToken: context.pageParam }, cancels ? context.signal : undefined),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextPageToken,
    }),
    rowsOf,
    async *all(this: void, signal: AbortSignal): AsyncGenerator<readonly Row[]> {
      const pages = readPages((pageToken) => read({ pageSize: largePageSize, pageToken }, signal))
      for await (const page of pages) yield rowsOf(page)
    },
  }
}

/** The query options of a list that is read whole into one array: for charts and sums. */
export function wholeListQuery<Page extends ListPage, Row>(list: List<Page, Row>) {
  const { all } = listQuery(list)
  return {
    ...queryOptions({
      queryKey: [...list.key, 'whole'],
      queryFn: async ({ signal }) => {
        const rows: Row[] = []
        for await (const page of all(signal)) rows.push(...page)
        return rows
      },
      ...(list.staleTime !== undefined && { staleTime: list.staleTime }),
    }),
    all,
  }
}

/** Keeps the rows while another filter loads, if the first `parts` of both keys are equal. */
export const keepWithin =
  (parts: number, key: QueryKey): Placeholder =>
  (before, query) =>
    query && hashKey(query.queryKey.slice(0, parts)) === hashKey(key.slice(0, parts)) ? before : undefined
