import type { NetworkName } from '../../../api/current.ts'
import { l1ValidatorsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { l1FiltersOf, l1Schema } from './search.ts'

/** Fetches the first page of the L1 validators that a URL's query names. */
export function prefetchL1Validators(network: NetworkName, search: URLSearchParams): Promise<void> {
  return queryClient.prefetchInfiniteQuery(
    l1ValidatorsQuery(network, l1FiltersOf(readSearch(l1Schema, search))),
  )
}
