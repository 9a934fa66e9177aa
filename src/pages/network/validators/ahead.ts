import type { NetworkName } from '../../../api/current.ts'
import { validatorsQuery } from '../../../api/network/validators.ts'
import { queryClient } from '../../../api/query-client.ts'
import { session } from '../../../api/session.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { filtersOf, validatorsSchema } from './filters.ts'

/** Fetches the first page of the validators that a URL's query names. */
export async function prefetchValidators(network: NetworkName, search: URLSearchParams): Promise<void> {
  const own = (await session()).profile.dataUrl === ''
  const filters = filtersOf(readSearch(validatorsSchema, search), own)
  await queryClient.prefetchInfiniteQuery(validatorsQuery(network, filters))
}
