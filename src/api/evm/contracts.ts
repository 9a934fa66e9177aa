import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { listDeployers, listDeployments, type Deployment } from '../../../contract/evm/contracts.ts'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { listPageSize } from './blocks.ts'
import { call } from '../session.ts'
import { walk } from '../walk.ts'

const exportPageSize = 100

export type Deployer = ResponseOf<typeof listDeployers>['deployers'][number]

/** The contracts of a chain, newest first, page by page. */
export const deploymentsQuery = (chainId: string) =>
  infiniteQueryOptions({
    queryKey: ['deployments', chainId],
    queryFn: ({ pageParam }) =>
      call(listDeployments, {
        params: { chainId },
        query: { pageSize: listPageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 10_000,
  })

/** Every deployment of a chain, page by page, for exports. */
export const allDeployments = (chainId: string, signal: AbortSignal): AsyncIterable<readonly Deployment[]> =>
  walk(
    listDeployments,
    { params: { chainId }, query: { pageSize: exportPageSize }, signal },
    (page) => page.contracts,
  )

/** Who deployed most in the last days of the chain's own time, most contracts first. */
export const deployersQuery = (chainId: string, days: number) =>
  queryOptions({
    queryKey: ['deployers', chainId, days],
    queryFn: async () => (await call(listDeployers, { params: { chainId }, query: { days } })).deployers,
    staleTime: 30_000,
  })
