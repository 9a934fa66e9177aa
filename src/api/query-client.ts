import { QueryClient, type InfiniteData, type QueryKey } from '@tanstack/react-query'

/**
 * One cache for all pages. `createClient` retries, so retries are off here; deep lists must not refetch all pages by
 * themselves, so only stale queries that are used again are refetched.
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
    // A mutation's answer is kept only while the page shows it.
    mutations: { networkMode: 'always', gcTime: 0 },
  },
})

/** The `staleTime` of an answer that cannot change, in milliseconds. */
export const immutableStaleTime = 10 * 60_000

/** That of something in a block, which may still be reverted until it is final. */
export const staleTimeOf = (isFinalized: boolean | undefined): number =>
  isFinalized === true ? immutableStaleTime : 5_000

/** Drops all pages of an infinite list but the first, refetches that one, and scrolls to the top. */
export function resetToFirstPage(queryKey: QueryKey): void {
  queryClient.setQueryData<InfiniteData<unknown>>(
    queryKey,
    (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
  )
  void queryClient.invalidateQueries({ queryKey, exact: true })
  scrollTo({ top: 0 })
}
