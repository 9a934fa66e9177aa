import { queryOptions } from '@tanstack/react-query'
import { listApprovals } from '../../../contract/evm/approvals.ts'
import { call } from '../session.ts'

/** Who may take which tokens of an address. */
export const approvalsQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['address', 'approvals', chainId, address.toLowerCase()],
    queryFn: () => call(listApprovals, { params: { chainId, address } }),
    staleTime: 10_000,
  })
