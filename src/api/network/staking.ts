import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { QueryOf, ResponseOf } from '../../../contract/base/operation.ts'
import { listNodeBlocks } from '../../../contract/primary/blocks.ts'
import {
  getNodeFeed,
  listStakeHistory,
  listUptimeSamples,
  listValidationCycles,
} from '../../../contract/network/staking.ts'
import { listDelegators } from '../../../contract/network/validators.ts'
import type { ChainAlias } from '../../lib/primary-chains.ts'
import type { NetworkName } from '../current.ts'
import { call } from '../session.ts'
import { gather, walk } from '../walk.ts'

const pageSize = 100
/** The longest page of a series: 90 days of hours. */
const seriesPageSize = 2160

/** The few figures of a node that alerting needs (`/feed`). */
export type NodeFeed = ResponseOf<typeof getNodeFeed>
/** A moment at which a node's stake or delegations changed. */
export type StakePoint = ResponseOf<typeof listStakeHistory>['points'][number]
/** What the configured node said of a validator in one hour. */
export type UptimeSample = ResponseOf<typeof listUptimeSamples>['samples'][number]

/** The figures of a node, asked again while they are looked at. */
export const nodeFeedQuery = (network: NetworkName, nodeId: string) =>
  queryOptions({
    queryKey: ['node-feed', network, nodeId],
    queryFn: () => call(getNodeFeed, { params: { network, nodeId } }),
    refetchInterval: 30_000,
  })

type DelegationStatus = NonNullable<QueryOf<typeof listDelegators>['delegationStatus']>

const delegatorsOf = (nodeId: string, delegationStatus: DelegationStatus | undefined) => ({
  pageSize,
  nodeIds: nodeId,
  ...(delegationStatus && { delegationStatus }),
})

/** The delegations to a node, latest first, page by page. */
export const delegatorsQuery = (network: NetworkName, nodeId: string, status: DelegationStatus | undefined) =>
  infiniteQueryOptions({
    queryKey: ['delegators', network, nodeId, status ?? null],
    queryFn: ({ pageParam }) =>
      call(listDelegators, {
        params: { network },
        query: { ...delegatorsOf(nodeId, status), ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** Every delegation to a node, page by page, for exports. */
export const allDelegators = (
  network: NetworkName,
  nodeId: string,
  status: DelegationStatus | undefined,
  signal: AbortSignal,
) =>
  walk(
    listDelegators,
    { params: { network }, query: delegatorsOf(nodeId, status), signal },
    (page) => page.delegators,
  )

/** The blocks of a chain that a node proposed, latest first, page by page. */
export const nodeBlocksQuery = (network: NetworkName, blockchainId: ChainAlias, nodeId: string) =>
  infiniteQueryOptions({
    queryKey: ['node-blocks', network, blockchainId, nodeId],
    queryFn: ({ pageParam }) =>
      call(listNodeBlocks, {
        params: { network, blockchainId, nodeId },
        query: { pageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 30_000,
  })

/** Every block of a chain that a node proposed, page by page, for exports. */
export const allNodeBlocks = (
  network: NetworkName,
  blockchainId: ChainAlias,
  nodeId: string,
  signal: AbortSignal,
) =>
  walk(
    listNodeBlocks,
    { params: { network, blockchainId, nodeId }, query: { pageSize }, signal },
    (page) => page.blocks,
  )

/** The periods of a validator that renews itself, those that are over, latest first, page by page. */
export const cyclesQuery = (network: NetworkName, nodeId: string) =>
  infiniteQueryOptions({
    queryKey: ['validation-cycles', network, nodeId],
    queryFn: ({ pageParam }) =>
      call(listValidationCycles, {
        params: { network, nodeId },
        query: { pageSize, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** All of them, page by page, for exports. */
export const allCycles = (network: NetworkName, nodeId: string, signal: AbortSignal) =>
  walk(
    listValidationCycles,
    { params: { network, nodeId }, query: { pageSize }, signal },
    (page) => page.cycles,
  )

/** Every change of a node's stake and delegations, oldest first. */
export const stakeHistoryQuery = (network: NetworkName, nodeId: string) =>
  queryOptions({
    queryKey: ['stake-history', network, nodeId],
    queryFn: ({ signal }) =>
      gather(
        walk(
          listStakeHistory,
          { params: { network, nodeId }, query: { pageSize: seriesPageSize }, signal },
          (page) => page.points,
        ),
      ),
    staleTime: 60_000,
  })

/** The sampled uptime of a node after a moment in Unix seconds, latest first. */
export const uptimeQuery = (network: NetworkName, nodeId: string, after: number) =>
  queryOptions({
    queryKey: ['uptime', network, nodeId, after],
    queryFn: ({ signal }) =>
      gather(
        walk(
          listUptimeSamples,
          {
            params: { network, nodeId },
            query: { pageSize: seriesPageSize, startTimestamp: after },
            signal,
          },
          (page) => page.samples,
        ),
      ),
    staleTime: 60_000,
  })
