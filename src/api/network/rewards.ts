import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import { listYearlyRewards } from '../../../contract/network/calendar.ts'
import { listPendingRewards, listRewards } from '../../../contract/network/rewards.ts'
import type { Currency } from '../tokens/balances-currency.ts'
import type { NetworkName } from '../current.ts'
import { call } from '../session.ts'
import { walk } from '../walk.ts'

const pageSize = 100

/** Whose rewards: those paid to addresses, or earned at a node. */
export type RewardsOf = { addresses: readonly string[] } | { nodeId: string }

/** The rewards of one UTC year. */
export type RewardYear = ResponseOf<typeof listYearlyRewards>['years'][number]

const whose = (of: RewardsOf) =>
  'nodeId' in of ? { nodeIds: of.nodeId } : { addresses: of.addresses.join(',') }

/** Paid rewards, latest first, page by page, each with the price of its time. */
export const rewardsQuery = (network: NetworkName, of: RewardsOf, currency: Currency) =>
  infiniteQueryOptions({
    queryKey: ['rewards', network, whose(of), currency],
    queryFn: ({ pageParam }) =>
      call(listRewards, {
        params: { network },
        query: { pageSize, ...whose(of), currency, ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** Every paid reward, page by page, for exports. */
export const allRewards = (network: NetworkName, of: RewardsOf, currency: Currency, signal: AbortSignal) =>
  walk(
    listRewards,
    { params: { network }, query: { pageSize, ...whose(of), currency }, signal },
    (page) => page.historicalRewards,
  )

/** Rewards by UTC year, latest first. */
export const yearlyRewardsQuery = (network: NetworkName, of: RewardsOf, currency: Currency) =>
  queryOptions({
    queryKey: ['yearly-rewards', network, whose(of), currency],
    queryFn: async () =>
      (await call(listYearlyRewards, { params: { network }, query: { ...whose(of), currency } })).years,
    staleTime: 60_000,
  })

/** Rewards that are still to come, page by page. */
export const pendingRewardsQuery = (network: NetworkName, of: RewardsOf) =>
  infiniteQueryOptions({
    queryKey: ['pending-rewards', network, whose(of)],
    queryFn: ({ pageParam }) =>
      call(listPendingRewards, {
        params: { network },
        query: { pageSize, ...whose(of), ...(pageParam && { pageToken: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextPageToken,
    staleTime: 60_000,
  })

/** Every reward that is still to come, page by page, for exports. */
export const allPendingRewards = (network: NetworkName, of: RewardsOf, signal: AbortSignal) =>
  walk(
    listPendingRewards,
    { params: { network }, query: { pageSize, ...whose(of) }, signal },
    (page) => page.pendingRewards,
  )
