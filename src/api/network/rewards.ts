import { queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { listYearlyRewards } from '../../../contract/network/calendar.ts'
import { listPendingRewards, listRewards, type HistoricalReward } from '../../../contract/network/rewards.ts'
import type { Currency } from '../tokens/balances-currency.ts'
import type { NetworkName } from '../current.ts'
import { listQuery } from '../list.ts'
import { call } from '../session.ts'

/**
 * The owner of rewards: the addresses that they were paid to, or the node at which they were earned, if wanted of some
 * kinds only.
 */
export type RewardsOf =
  { addresses: readonly string[] } | { nodeId: string; types?: readonly HistoricalReward['rewardType'][] }

/** The rewards of one UTC year. */
export type RewardYear = ResponseOf<typeof listYearlyRewards>['years'][number]

const whose = (of: RewardsOf) =>
  'nodeId' in of
    ? { nodeIds: of.nodeId, ...(of.types && { rewardTypes: of.types.join(',') }) }
    : { addresses: of.addresses.join(',') }

/** Paid rewards, latest first, each with the price at that time. */
export const rewardsQuery = (network: NetworkName, of: RewardsOf, currency: Currency) =>
  listQuery({
    key: ['rewards', network, whose(of), currency],
    read: (paging, signal) =>
      call(listRewards, { params: { network }, query: { ...paging, ...whose(of), currency }, signal }),
    rowsOf: (page) => page.historicalRewards,
    pageSize: 100,
    staleTime: 60_000,
  })

/** Rewards by UTC year, latest first. */
export const yearlyRewardsQuery = (network: NetworkName, of: RewardsOf, currency: Currency) =>
  queryOptions({
    queryKey: ['yearly-rewards', network, whose(of), currency],
    queryFn: async () =>
      (await call(listYearlyRewards, { params: { network }, query: { ...whose(of), currency } })).years,
    staleTime: 60_000,
  })

/** Rewards that are not paid yet. */
export const pendingRewardsQuery = (network: NetworkName, of: RewardsOf) =>
  listQuery({
    key: ['pending-rewards', network, whose(of)],
    read: (paging, signal) =>
      call(listPendingRewards, { params: { network }, query: { ...paging, ...whose(of) }, signal }),
    rowsOf: (page) => page.pendingRewards,
    pageSize: 100,
    staleTime: 60_000,
  })
