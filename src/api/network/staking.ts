import { queryOptions } from '@tanstack/react-query'
import type { QueryOf } from '../../../contract/base/operation.ts'
import { listNodeBlocks } from '../../../contract/primary/blocks.ts'
import {
  getNodeFeed,
  listStakeHistory,
  listUptimeSamples,
  listValidationCycles,
} from '../../../contract/network/staking.ts'
import { listDelegators } from '../../../contract/network/validators.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import type { NetworkName } from '../current.ts'
import { listQuery, wholeListQuery } from '../list.ts'
import { call } from '../session.ts'

/** The longest page of a series: 90 days of hours. */
const seriesPageSize = 2160

/** The figures of a node, refetched while the page is visible. */
export const nodeFeedQuery = (network: NetworkName, nodeId: string) =>
  queryOptions({
    queryKey: ['node-feed', network, nodeId],
    queryFn: () => call(getNodeFeed, { params: { network, nodeId } }),
    refetchInterval: 30_000,
  })

type DelegationStatus = NonNullable<QueryOf<typeof listDelegators>['delegationStatus']>

/** The delegations to a node, latest first. */
export const delegatorsQuery = (network: NetworkName, nodeId: string, status: DelegationStatus | undefined) =>
  listQuery({
    key: ['delegators', network, nodeId, status],
    read: (paging, signal) =>
      call(listDelegators, {
        params: { network },
        query: { ...paging, nodeIds: nodeId, delegationStatus: status },
        signal,
      }),
    rowsOf: (page) => page.delegators,
    pageSize: 100,
    staleTime: 60_000,
  })

/** The blocks of a chain that a node proposed, latest first. */
export const nodeBlocksQuery = (network: NetworkName, blockchainId: PrimaryChainAlias, nodeId: string) =>
  listQuery({
    key: ['node-blocks', network, blockchainId, nodeId],
    read: (paging, signal) =>
      call(listNodeBlocks, { params: { network, blockchainId, nodeId }, query: paging, signal }),
    rowsOf: (page) => page.blocks,
    pageSize: 100,
    staleTime: 30_000,
  })

/** The past cycles of an auto-renewed validator, latest first. */
export const cyclesQuery = (network: NetworkName, nodeId: string) =>
  listQuery({
    key: ['validation-cycles', network, nodeId],
    read: (paging, signal) =>
      call(listValidationCycles, { params: { network, nodeId }, query: paging, signal }),
    rowsOf: (page) => page.cycles,
    pageSize: 100,
    staleTime: 60_000,
  })

/** Every change of a node's stake and delegations, oldest first. */
export const stakeHistoryQuery = (network: NetworkName, nodeId: string) =>
  wholeListQuery({
    key: ['stake-history', network, nodeId],
    read: (paging, signal) => call(listStakeHistory, { params: { network, nodeId }, query: paging, signal }),
    rowsOf: (page) => page.points,
    largePageSize: seriesPageSize,
    staleTime: 60_000,
  })

/** The sampled uptime of a node after a moment in Unix seconds, latest first. */
export const uptimeQuery = (network: NetworkName, nodeId: string, after: number) =>
  wholeListQuery({
    key: ['uptime', network, nodeId, after],
    read: (paging, signal) =>
      call(listUptimeSamples, {
        params: { network, nodeId },
        query: { ...paging, startTimestamp: after },
        signal,
      }),
    rowsOf: (page) => page.samples,
    largePageSize: seriesPageSize,
    staleTime: 60_000,
  })
