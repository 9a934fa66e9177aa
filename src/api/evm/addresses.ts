import { queryOptions } from '@tanstack/react-query'
import { getAddressOverview } from '../../../contract/evm/addresses.ts'
import { call } from '../session.ts'

/** The kind, activity and holdings of an address. */
export const addressOverviewQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['address', 'overview', chainId, address.toLowerCase()],
    queryFn: () => call(getAddressOverview, { params: { chainId, address } }),
    refetchInterval: 30_000,
  })
