import { queryOptions } from '@tanstack/react-query'
import { listDeployers, listDeployments, type contractKinds } from '../../../contract/evm/contracts.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { listQuery } from '../list.ts'
import { call } from '../session.ts'

export type Deployer = ResponseOf<typeof listDeployers>['deployers'][number]

/** What the contracts of a chain are narrowed to. */
type DeploymentsFilter = {
  kind?: (typeof contractKinds)[number] | undefined
  isVerified?: 'true' | undefined
  creator?: string | undefined
}

/** The contracts of a chain, newest first: all, or those of a kind, with verified sources, or of a creator. */
export const deploymentsQuery = (chainId: string, filter: DeploymentsFilter = {}) =>
  listQuery({
    key: ['deployments', chainId, filter.kind, filter.isVerified, filter.creator],
    read: (paging, signal) =>
      call(listDeployments, { params: { chainId }, query: { ...paging, ...filter }, signal }),
    rowsOf: (page) => page.contracts,
    staleTime: 10_000,
  })

/** The addresses with the most deployments in the last days of the chain's own time. */
export const deployersQuery = (chainId: string, days: number) =>
  queryOptions({
    queryKey: ['deployers', chainId, days],
    queryFn: async () => (await call(listDeployers, { params: { chainId }, query: { days } })).deployers,
    staleTime: 30_000,
  })
