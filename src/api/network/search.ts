import { queryOptions } from '@tanstack/react-query'
import { search } from '../../../contract/network/search.ts'
import { call } from '../session.ts'

/** Search results over all chains: heights, hashes, addresses, names and ids. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) =>
      text === '' ? [] : (await call(search, { query: { query: text }, signal })).results,
    staleTime: 15_000,
  })
