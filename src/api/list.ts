import { hashKey, infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'

/** One answer of a list operation: its rows under a name of their own, and the page token of the next page. */
type ListPage = { readonly nextPageToken?: string | undefined }

/** Which page of a list to read; without a page token the first. */
export type Paging = { pageSize: number; pageToken: string | undefined }

/** Keeps an earlier list's pages on the page while those of another filter load. */
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
  /** Rows of a page on the screen. */
  pageSize?: number
  /** Rows of a page when every page is read. */
  largePageSize?: number
  /** Cancels reading when the page is left: for reads that cost much, and that no loader has begun. */
  cancels?: boolean
  placeholderData?: Placeholder
  staleTime?: number
}

/** Reads the pages of a list, one after another, to the last. */
export async function* readPages<Page extends ListPage>(
  read: (pageToken: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let pageToken: string | undefined
  do {
    const page = await read(pageToken)
    yield page
    pageToken = page.nextPageToken
  } while (pageToken !== undefined)
}

/**
 * The query options of a list that grows page by page, with `rowsOf` for the rows of a page, and `all`, which
 * reads every page for an export: an abort of its signal ends it with the signal's reason.
 */
export function listQuery<Page extends ListPage, Row>(list: List<Page, Row>) {
  const { key, read, rowsOf, pageSize = 50, largePageSize = 100, cancels = false, ...options } = list
  return {
    ...infiniteQueryOptions({
      ...options,
      queryKey: key,
      // Taking the signal would cancel what a loader has begun when the page before it is left.
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

/** The query options of a list of which every page is read at once, into one array: for charts and sums. */
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
