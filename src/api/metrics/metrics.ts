import { queryOptions } from '@tanstack/react-query'
import type { MetricName, TimeInterval } from '../../../contract/metrics/catalogue.ts'
import { getMetric, metricsPageBounds, type MetricPoint } from '../../../contract/metrics/metrics.ts'
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
  let pageToken: string | undefined
  do {
    const page = await call(getMetric, {
      params: { chainId, metric },
      query: {
        timeInterval: interval,
        pageSize: Math.min(metricsPageBounds.max, points - latestFirst.length),
        ...(startTimestamp !== undefined && { startTimestamp }),
        ...(endTimestamp !== undefined && { endTimestamp }),
        ...(pageToken && { pageToken }),
      },
      ...(signal && { signal }),
    })
    latestFirst.push(...page.results)
    pageToken = page.nextPageToken
  } while (pageToken !== undefined && latestFirst.length < points)
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
