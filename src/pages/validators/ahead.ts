import type { NetworkName } from '../../api/current.ts'
import { validatorsQuery } from '../../api/primary-validators.ts'
import { queryClient } from '../../api/query-client.ts'
import { readSearch } from '../../lib/search-params.ts'
import { filtersOf, validatorsSchema } from './filters.ts'

/** Fetches the first page of the validators that a URL's query names. */
export function prefetchValidators(network: NetworkName, search: URLSearchParams): Promise<void> {
  return queryClient.prefetchInfiniteQuery(
    validatorsQuery(network, filtersOf(readSearch(validatorsSchema, search))),
  )
}
