import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { MetricPoint } from '../../../contract/metrics.ts'
import { ApiError } from '../../api/errors.ts'
import { metricQuery, type MetricRange } from '../../api/metrics.ts'
import { ascending, within, type SeriesPoint } from '../../lib/series.ts'
import { periodStart, type Interval } from '../../lib/series-periods.ts'
import type { TimeRange } from '../../lib/series-range.ts'
import type { Ingredient, SeriesInfo } from './catalogue.ts'

/** One series of one chain, at an interval. */
export type Wanted = { readonly chainId: string; readonly info: SeriesInfo }

export type LoadedSeries =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: Error }
  /** The node behind the chain keeps no traces, so that contracts cannot be counted. */
  | { readonly state: 'untraced'; readonly message: string }
  | { readonly state: 'ready'; readonly points: readonly SeriesPoint[] }

export type Loaded = { readonly series: readonly LoadedSeries[]; readonly retry: () => void }

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
  return metricQuery(ingredient.of === 'total' ? 'total' : chainId, ingredient.metric, bounds)
}

type Options = {
  readonly interval: Interval
  readonly range: TimeRange
  /** Nothing is asked for until it is worth it. */
  readonly enabled?: boolean
  /** Milliseconds between refreshes of a range that reaches now. */
  readonly refresh?: number | false
}

function settle(
  info: SeriesInfo,
  interval: Interval,
  range: TimeRange,
  results: UseQueryResult<MetricPoint[]>[],
): LoadedSeries {
  const failed = results.find((result) => result.isError && result.data === undefined)
  if (failed?.error != null) {
    const { error } = failed
    // The service answers 503, a hosted one 404, where a chain has no traces to count from.
    const missing = info.traced && error instanceof ApiError && (error.status === 503 || error.status === 404)
    return missing ? { state: 'untraced', message: error.message } : { state: 'failed', error }
  }
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
  const { interval, enabled = true, refresh = false } = options
  const { from, to } = options.range
  const names = wanted.map((one) => `${one.chainId} ${one.info.name}`).join()
  return useQueries({
    queries: wanted.flatMap(({ chainId, info }) =>
      info.needs.map((ingredient) => ({
        ...ingredientQuery(chainId, info, ingredient, interval, { from, to }),
        enabled,
        refetchInterval: refresh,
      })),
    ),
    // Without a stable function every render would make all series anew, and every chart with them.
    combine: useCallback(
      (results: UseQueryResult<MetricPoint[]>[]): Loaded => {
        let start = 0
        return {
          series: wanted.map(({ info }) => {
            const mine = results.slice(start, start + info.needs.length)
            start += info.needs.length
            return settle(info, interval, { from, to }, mine)
          }),
          retry: () => {
            for (const result of results) if (result.isError) void result.refetch()
          },
        }
      },
      // `names` stands for `wanted`, which is a new array on every render.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
      [names, interval, from, to],
    ),
  })
}
