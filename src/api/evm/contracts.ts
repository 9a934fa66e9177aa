import { queryOptions } from '@tanstack/react-query'
import {
  listDeployers,
  listDeployments,
  type contractKinds,
  type DeploymentOrder,
} from '../../../contract/evm/contracts.ts'
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

/**
 * The contracts of a chain: all, or those of a kind, with verified sources, or of a creator. Ordered by use they are one
 * page.
 */
export const deploymentsQuery = (
  chainId: string,
  { kind, isVerified, creator }: DeploymentsFilter,
  sortBy: DeploymentOrder,
) =>
  listQuery({
    key: ['deployments', chainId, kind, isVerified, creator, sortBy],
    read: (paging, signal) =>
      call(listDeployments, {
        params: { chainId },
        query: { ...paging, kind, isVerified, creator, sortBy },
        signal,
      }),
    rowsOf: (page) => page.contracts,
    ...(sortBy !== 'createdAt' && { pageSize: 100 }),
    staleTime: 10_000,
  })

/** The addresses with the most deployments in the last days of the chain's own time. */
export const deployersQuery = (chainId: string, days: number) =>
  queryOptions({
    queryKey: ['deployers', chainId, days],
    queryFn: async () => (await call(listDeployers, { params: { chainId }, query: { days } })).deployers,
    staleTime: 30_000,
  })
