import { queryOptions } from '@tanstack/react-query'
import {
  getContractCode,
  getContractMetadata,
  listContractDeployments,
  readContract,
} from '../../../contract/evm/contracts.ts'
import type { BodyOf } from '../../../contract/base/operation.ts'
import { listQuery } from '../list.ts'
import { call } from '../session.ts'

/** A contract's creation and metadata; 404 for an address that is not a known contract. */
export const contractQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['contract', chainId, address.toLowerCase()],
    queryFn: () => call(getContractMetadata, { params: { chainId, address } }),
    staleTime: 60_000,
  })

/** Code size, proxy target and readable functions of an address, read from the node at the head. */
export const contractCodeQuery = (chainId: string, address: string) =>
  queryOptions({
    queryKey: ['contract-code', chainId, address.toLowerCase()],
    queryFn: () => call(getContractCode, { params: { chainId, address } }),
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

/** Calls a view function of a contract; arguments and results are text. */
export function callContract(
  chainId: string,
  address: string,
  body: BodyOf<typeof readContract>,
  signal: AbortSignal,
) {
  return call(readContract, { params: { chainId, address }, body, signal })
}
