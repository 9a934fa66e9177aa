import { QueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query'

/**
 * One cache for every page. Trying again is the client's matter (`createClient`), so it is off here; deep
 * lists must not refetch page by page on their own, so only what is stale and asked for again is.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 15_000,
      gcTime: 15 * 60_000,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
  },
})

/** How long an answer that will not change again is taken as fresh. */
export const settled = 10 * 60_000

/** Loads a long list anew from its first page. What is shown stays until that page has come. */
export function startAnew(queryKey: QueryKey): void {
  queryClient.setQueryData<InfiniteData<unknown>>(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  )
  void queryClient.invalidateQueries({ queryKey, exact: true })
  scrollTo({ top: 0 })
}
