import { queryOptions } from '@tanstack/react-query'
import { getContractMetadata, listContractDeployments } from '../../../contract/evm/contracts.ts'
import { listQuery } from '../list.ts'
import { call } from '../session.ts'

/** A contract's creation and metadata; 404 for an address that is not a known contract. */
export const contractQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['contract', chainId, address.toLowerCase()],
    queryFn: () => call(getContractMetadata, { params: { chainId, address } }),
    staleTime: 60_000,
  })

/** The contracts that an address deployed, latest first. */
export const addressDeploymentsQuery = (chainId: string, address: string) =>
  listQuery({
    key: ['address', 'deployments', chainId, address.toLowerCase()],
    read: (paging, signal) =>
      call(listContractDeployments, { params: { chainId, address }, query: paging, signal }),
    rowsOf: (page) => page.contracts,
    staleTime: 60_000,
  })
