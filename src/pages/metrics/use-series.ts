import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { MetricPoint } from '../../../contract/metrics/series.ts'
import type { ChainStatus } from '../../../contract/evm/chains.ts'
import { statusQuery } from '../../api/chains.ts'
import { useOffers, type ChainFacts } from '../../api/current.ts'
import { ApiError, isUnsupported } from '../../api/errors.ts'
import type { MetricRange } from '../../api/metrics/series.ts'
import { ascending, within, type SeriesPoint } from '../../../charts/series/series.ts'
import { periodStart, type Interval } from '../../../charts/series/periods.ts'
import type { TimeRange } from '../../../charts/series/range.ts'
import { untracedWords } from '../evm/untraced.ts'
import type { Ingredient, SeriesInfo } from './series-info.ts'
import { isGroup } from './chains.ts'

/** One series of one chain, at an interval. */
type Wanted = { readonly chainId: string; readonly info: SeriesInfo }

export type LoadedSeries =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: Error }
  /** The service of the profile in use does not have the metric. */
  | { readonly state: 'unsupported'; readonly error: Error }
  /** The node of the chain could not trace blocks, so that contracts cannot be counted in this range. */
  | { readonly state: 'untraced' }
  | { readonly state: 'ready'; readonly points: readonly SeriesPoint[] }

type Loaded = { readonly series: readonly LoadedSeries[]; readonly retry: () => void }

/** The query of an ingredient. Both bounds of the interface are exclusive; tokens never leave the client. */
export function ingredientQuery(
  chainId: string,
  info: SeriesInfo,
  ingredient: Ingredient,
  interval: Interval,
  range: TimeRange,
) {
  const bounds: MetricRange = { interval, endTimestamp: range.to }
  if (range.from !== null) {
    const first = info.looksBack ? periodStart(range.from - 1, interval) : range.from
    bounds.startTimestamp = first - 1
  }
  return ingredient.query(chainId, bounds)
}

/** Milliseconds between refreshes of a range that reaches now. */
export const refresh = 60_000

type Options = {
  readonly interval: Interval
  readonly range: TimeRange
  /** Nothing is asked for until it is worth it. */
  readonly enabled?: boolean
  /** Unix seconds: a range that reaches past it is read again every minute. Without it, nothing is. */
  readonly now?: number
}

/** Whether all blocks of a chain are traced; known only if the deployment reports its status. */
type Traces = 'whole' | 'gaps' | 'unknown'

/** What a group of chains or one chain is known to have: a group lacks what any of its chains lacks. */
export function tracesOf(all: readonly ChainStatus[] | undefined, chainId: string): Traces {
  if (all === undefined) return 'unknown'
  const mine = isGroup(chainId) ? all : all.filter((status) => status.chainId === chainId)
  if (mine.length === 0) return 'unknown'
  return mine.some((status) => status.untracedBlocks !== undefined) ? 'gaps' : 'whole'
}

/**
 * Which blocks a metric that is counted from traces lacks, in words; undefined when it lacks none. Of a group, the
 * chains that lack some.
 */
export function useUntraced(info: SeriesInfo, chain: ChainFacts): string | undefined {
  const offered = useOffers('listChainStatus')
  const { data } = useQuery({ ...statusQuery(), enabled: offered && info.traced })
  if (!info.traced || data === undefined) return undefined
  if (!isGroup(chain.chainId)) {
    const words = untracedWords(data.find((status) => status.chainId === chain.chainId))
    return words && `the node of ${chain.name} could not trace ${words}`
  }
  const lacking = data.filter((status) => status.untracedBlocks !== undefined)
  if (lacking.length === 0) return undefined
  return `the nodes of ${lacking.map((status) => status.chainName).join(', ')} could not trace some blocks`
}

/**
 * A failure of a series. Where no point of a range can be counted from traces the service answers 503, and a hosted
 * one 404; 503 may as well mean that the service is not ready, or the chain not indexed yet, so it counts only together with the chain's status.
 */
export function failure(info: SeriesInfo, error: Error, traces: Traces): LoadedSeries {
  if (isUnsupported(error)) return { state: 'unsupported', error }
  const status = error instanceof ApiError && !error.behind ? error.status : 0
  const untraced =
    traces === 'gaps' ? status === 503 || status === 404 : traces === 'unknown' && status === 404
  return info.traced && untraced ? { state: 'untraced' } : { state: 'failed', error }
}

type Settling = {
  readonly info: SeriesInfo
  readonly interval: Interval
  readonly range: TimeRange
  readonly traces: Traces
}

function settle(
  { info, interval, range, traces }: Settling,
  results: UseQueryResult<MetricPoint[]>[],
): LoadedSeries {
  const failed = results.find((result) => result.isError && result.data === undefined)
  if (failed?.error != null) return failure(info, failed.error, traces)
  const lists: (readonly SeriesPoint[])[] = []
  for (const result of results) {
    if (result.data === undefined) return { state: 'loading' }
    lists.push(ascending(result.data))
  }
  const points = info.make(lists, interval)
  return { state: 'ready', points: within(points, range.from ?? 0, range.to) }
}

/** Loads series, derived ones from their ingredients; what several need is asked for once. */
export function useSeries(wanted: readonly Wanted[], options: Options): Loaded {
  const { interval, enabled = true, now = Infinity } = options
  const { from, to } = options.range
  const names = wanted.map((one) => `${one.chainId} ${one.info.name}`).join()
  const told = useOffers('listChainStatus')
  const status = useQuery({
    ...statusQuery(),
    enabled: enabled && told && wanted.some((one) => one.info.traced),
  }).data
  const traces = wanted.map((one) => tracesOf(status, one.chainId)).join()
  return useQueries({
    queries: wanted.flatMap(({ chainId, info }) =>
      info.needs.map((ingredient) => ({
        ...ingredientQuery(chainId, info, ingredient, interval, { from, to }),
        enabled,
        refetchInterval: to > now ? refresh : false,
      })),
    ),
    // Without a stable function every render would recompute all series and charts.
    combine: useCallback(
      (results: UseQueryResult<MetricPoint[]>[]): Loaded => {
        let start = 0
        return {
          series: wanted.map(({ info }, index) => {
            const known = traces.split(',')[index]
            const mine = results.slice(start, start + info.needs.length)
            start += info.needs.length
            return settle(
              {
                info,
                interval,
                range: { from, to },
                traces: known === 'gaps' || known === 'whole' ? known : 'unknown',
              },
              mine,
            )
          }),
          retry: () => {
            for (const result of results) if (result.isError) void result.refetch()
          },
        }
      },
      // `names` replaces `wanted`, which is a new array on every render.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [names, traces, interval, from, to],
    ),
  })
}
