import { queryOptions, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { ResponseOf } from '../../../contract/base/operation.ts'
import type { EvmChain } from '../../../contract/evm/chains.ts'
import type { MetricPoint } from '../../../contract/metrics/series.ts'
import { maxSeries } from '../../../contract/metrics/view.ts'
import { listChainTraffic, trafficDays } from '../../../contract/metrics/traffic.ts'
import { offers, useOffers, type ChainFacts } from '../../api/current.ts'
import { chainsQuery } from '../../api/chains.ts'
import { metricQuery } from '../../api/metrics/series.ts'
import { queryClient } from '../../api/query-client.ts'
import { call, session } from '../../api/session.ts'
import { DAY, HOUR, periodEnd, periodStart } from '../../../charts/series/periods.ts'
import {
  againstUsual,
  lastDay,
  summed,
  togetherAgainstUsual,
  type Counts,
  type LastDay,
  type Usual,
} from '../../lib/series/usual.ts'

const refresh = 60_000

/** The transactions of one chain in the last 24 hours. */
export type Traffic = {
  readonly chainId: string
  readonly last: LastDay | null
  readonly usual: Usual | null
  /** By hour, the 24 of `last`. */
  readonly hours: readonly number[]
  /** By day, the last 30. */
  readonly days: readonly number[]
}

/** The transactions of several chains; undefined while a chain's counts load. */
export type AllTraffic = {
  readonly chains: readonly (Traffic | undefined)[]
  /** Of all of them together; undefined until every chain's are known. */
  readonly all: Omit<Traffic, 'chainId'> | undefined
  readonly error: Error | null
  readonly retry: () => void
}

/** What is asked for of a chain: its last 25 hours, and its last 90 days, which are those of the chart's own range. */
export function queriesOf(chainId: string, now: number) {
  const hour = periodStart(now, 'hour')
  return [
    metricQuery(chainId, 'txCount', {
      interval: 'hour',
      startTimestamp: hour - DAY - 1,
      endTimestamp: hour + HOUR,
    }),
    metricQuery(chainId, 'txCount', {
      interval: 'day',
      startTimestamp: periodStart(now - trafficDays * DAY, 'day') - 1,
      endTimestamp: periodEnd(now, 'day'),
    }),
  ] as const
}

const sparkOf = (days: Counts['days']): number[] => days.slice(-30).map(({ value }) => Number(value ?? 0))

/** The 24 whole hours before that of `now`; an hour without a block counts nothing. */
function hourlyOf(hours: Counts['hours'], now: number): number[] {
  const values = new Map(hours.map(({ timestamp, value }) => [timestamp, Number(value ?? 0)]))
  const to = periodStart(now, 'hour')
  return Array.from({ length: 24 }, (_, index) => values.get(to - (24 - index) * HOUR) ?? 0)
}

const trafficOf = (counts: Counts, now: number): Omit<Traffic, 'chainId'> => ({
  // A chain without any block has no hours; without any in the last day, its count is 0.
  last: lastDay(counts.hours.length > 0 ? counts.hours : counts.days, now),
  usual: againstUsual(counts, now),
  hours: hourlyOf(counts.hours, now),
  days: sparkOf(counts.days),
})

/** The counts in an answer by chain ID, oldest first. */
const countsOf = ({ chains }: ResponseOf<typeof listChainTraffic>): Map<string, CountedPoints> =>
  new Map(
    chains.map(({ chainId, hours, days }) => [
      chainId,
      { hours: hours.toReversed(), days: days.toReversed() },
    ]),
  )

/** The counts of every chain in one answer, by chain ID. The chart then has its days without a request of its own. */
const trafficQuery = () =>
  queryOptions({
    queryKey: ['traffic'],
    queryFn: async ({ client }) => {
      const { profile } = await session()
      const counts = countsOf(await call(listChainTraffic, { query: { network: profile.network } }))
      const now = Date.now() / 1000
      for (const [chainId, { days }] of counts) client.setQueryData(queriesOf(chainId, now)[1].queryKey, days)
      return counts
    },
    staleTime: refresh,
    refetchInterval: refresh,
  })

type CountedPoints = { readonly hours: MetricPoint[]; readonly days: MetricPoint[] }

/** What is known of the counts of some chains, in their order, and why others are not. */
type Asked = {
  readonly counts: readonly { readonly chainId: string; readonly counts: Counts | undefined }[]
  readonly error: Error | null
  readonly retry: () => void
}

/** The counts of chains whose deployment has no answer for all together: two requests a chain. */
function useEach(chainIds: readonly string[], now: number): Asked {
  const combine = useCallback(
    (results: Pick<UseQueryResult<MetricPoint[]>, 'data' | 'error' | 'refetch'>[]): Asked => ({
      counts: chainIds.map((chainId, index) => {
        const hours = results[index * 2]?.data
        const days = results[index * 2 + 1]?.data
        return { chainId, counts: hours && days && { hours, days } }
      }),
      error: results.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
      retry: () => {
        for (const result of results) if (result.error !== null) void result.refetch()
      },
    }),
    [chainIds],
  )
  return useQueries({
    queries: chainIds.flatMap((chainId) =>
      queriesOf(chainId, now).map((query) => ({ ...query, refetchInterval: refresh })),
    ),
    combine,
  })
}

const none: readonly string[] = []

/**
 * The transactions of the given chains in the last 24 hours, against the usual, and by day. `chainIds` stays the same
 * array while the chains are the same; `now` is in Unix seconds, at the start of an hour, so that the requests stay the
 * same within it.
 */
export function useTraffic(chainIds: readonly string[], now: number): AllTraffic {
  const offered = useOffers('listChainTraffic')
  const { data, error: refusal, refetch } = useQuery({ ...trafficQuery(), enabled: offered })
  const each = useEach(offered ? none : chainIds, now)
  const { counts, error, retry } = useMemo(
    (): Asked =>
      offered
        ? {
            counts: chainIds.map((chainId) => ({ chainId, counts: data?.get(chainId) })),
            error: data === undefined ? refusal : null,
            retry: () => void refetch(),
          }
        : each,
    [offered, chainIds, data, refusal, refetch, each],
  )
  return useMemo(() => {
    const known = counts.flatMap((one) => one.counts ?? [])
    return {
      chains: counts.map((one) => one.counts && { chainId: one.chainId, ...trafficOf(one.counts, now) }),
      all:
        known.length === counts.length && known.length > 0
          ? {
              ...trafficOf(
                {
                  hours: summed(known.map(({ hours }) => hours)),
                  days: summed(known.map(({ days }) => days)),
                },
                now,
              ),
              usual: togetherAgainstUsual(known, now),
            }
          : undefined,
      error,
      retry,
    }
  }, [counts, error, retry, now])
}

/** Requests what `useTraffic` needs; it reports what fails. */
export async function prefetchTraffic(): Promise<void> {
  const started = await session().catch(() => undefined)
  if (started && offers(started.profile, 'listChainTraffic')) {
    void queryClient.prefetchQuery(trafficQuery())
    return
  }
  const chains = await queryClient.fetchQuery(chainsQuery()).catch(() => [])
  const now = Date.now() / 1000
  for (const { chainId } of chains.slice(0, maxSeries))
    for (const query of queriesOf(chainId, now)) void queryClient.prefetchQuery(query)
}

/**
 * The chains that a page counts and draws together, as charts name them: all, or the first of the list where each has to
 * be asked for by itself.
 */
export function useCountedChains(chains: readonly EvmChain[] | undefined): readonly ChainFacts[] {
  const offered = useOffers('listChainTraffic')
  return useMemo(
    () =>
      (chains ?? []).slice(0, offered ? undefined : maxSeries).map((chain, index) => ({
        chainId: chain.chainId,
        name: chain.chainName,
        symbol: chain.networkToken.symbol,
        decimals: chain.networkToken.decimals,
        index,
      })),
    [chains, offered],
  )
}

/** The busiest chains of the last 24 hours, in the order of the list: as many as a feed follows. */
export function useBusiestChains(
  chains: readonly ChainFacts[],
  traffic: AllTraffic['chains'],
): readonly ChainFacts[] {
  const busiest = chains
    .map(({ chainId }) => ({
      chainId,
      count: traffic.find((one) => one?.chainId === chainId)?.last?.count ?? 0,
    }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, maxSeries)
    .map(({ chainId }) => chainId)
    .toSorted()
    .join()
  return useMemo(() => {
    const ids = new Set(busiest.split(','))
    return chains.filter(({ chainId }) => ids.has(chainId))
  }, [chains, busiest])
}
