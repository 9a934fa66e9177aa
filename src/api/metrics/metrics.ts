import { queryOptions } from '@tanstack/react-query'
import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import { getMetric, metricsPageBounds, type MetricPoint } from '../../../contract/metrics/metrics.ts'
import { readPages } from '../list.ts'
import { call } from '../session.ts'

/** Which points of a series: the interval, and bounds in Unix seconds (both exclusive, as the interface has them). */
export type MetricRange = {
  interval?: TimeInterval
  startTimestamp?: number | undefined
  endTimestamp?: number | undefined
  /** At most this many of the latest points of the range; all when left out. */
  points?: number | undefined
}

/**
 * A metric's series, oldest point first. Pages are followed to the end of the range: page tokens die after
 * 24 hours and never leave this function.
 */
export async function fetchMetric(
  chainId: string,
  metric: MetricName,
  range: MetricRange,
  signal?: AbortSignal,
): Promise<MetricPoint[]> {
  const { interval = 'day', startTimestamp, endTimestamp, points = Infinity } = range
  const latestFirst: MetricPoint[] = []
  const pages = readPages((pageToken) =>
    call(getMetric, {
      params: { chainId, metric },
      query: {
        timeInterval: interval,
        pageSize: Math.min(metricsPageBounds.max, points - latestFirst.length),
        startTimestamp,
        endTimestamp,
        pageToken,
      },
      signal,
    }),
  )
  for await (const page of pages) {
    latestFirst.push(...page.results)
    if (latestFirst.length >= points) break
  }
  return latestFirst.reverse()
}

/** A metric's series for a range, oldest point first; leaving the page cancels it. */
export const metricQuery = (chainId: string, metric: MetricName, range: MetricRange = {}) =>
  queryOptions({
    queryKey: [
      'metric',
      chainId,
      metric,
      range.interval ?? 'day',
      range.startTimestamp ?? null,
      range.endTimestamp ?? null,
      range.points ?? null,
    ],
    queryFn: ({ signal }) => fetchMetric(chainId, metric, range, signal),
    staleTime: 60_000,
  })
