import { queryOptions } from '@tanstack/react-query'
import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import { getMetric } from '../../../contract/metrics/metrics.ts'
import type { NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import { getNetworkMetric } from '../../../contract/metrics/network-metrics.ts'
import { metricsPageBounds, type MetricPoint } from '../../../contract/metrics/series.ts'
import type { NetworkName } from '../current.ts'
import { readPages } from '../pages.ts'
import { call } from '../session.ts'

/** The points of a series: the interval, and bounds in Unix seconds, both exclusive as in the API. */
export type MetricRange = {
  interval?: TimeInterval
  startTimestamp?: number | undefined
  endTimestamp?: number | undefined
  /** The number of latest points of the range; all by default. */
  points?: number | undefined
}

type SeriesPage = { readonly results: readonly MetricPoint[]; readonly nextPageToken?: string | undefined }

type SeriesRequest = {
  readonly timeInterval: TimeInterval
  readonly pageSize: number
  readonly startTimestamp: number | undefined
  readonly endTimestamp: number | undefined
  readonly pageToken: string | undefined
}

/** Asks for one page of a series. */
type AskSeries = (query: SeriesRequest, signal: AbortSignal | undefined) => Promise<SeriesPage>

/** A series, oldest point first. Reads all pages at once, because page tokens expire after 24 hours. */
export async function readSeries(
  ask: AskSeries,
  range: MetricRange,
  signal: AbortSignal | undefined,
): Promise<MetricPoint[]> {
  const { interval = 'day', startTimestamp, endTimestamp, points = Infinity } = range
  const latestFirst: MetricPoint[] = []
  const pages = readPages((pageToken) =>
    ask(
      {
        timeInterval: interval,
        pageSize: Math.min(metricsPageBounds.max, points - latestFirst.length),
        startTimestamp,
        endTimestamp,
        pageToken,
      },
      signal,
    ),
  )
  for await (const page of pages) {
    latestFirst.push(...page.results)
    if (latestFirst.length >= points) break
  }
  return latestFirst.reverse()
}

/**
 * A series for a range, oldest point first; leaving the page cancels it. `kind`, `subject` and `metric` are its
 * key.
 */
const seriesQuery = (
  kind: 'metric' | 'networkMetric',
  subject: string,
  metric: string,
  range: MetricRange,
  ask: AskSeries,
) =>
  queryOptions({
    queryKey: [
      kind,
      subject,
      metric,
      range.interval ?? 'day',
      range.startTimestamp ?? null,
      range.endTimestamp ?? null,
      range.points ?? null,
    ],
    queryFn: ({ signal }) => readSeries(ask, range, signal),
    staleTime: 60_000,
  })

/** The query of a series. */
export type SeriesQuery = ReturnType<typeof seriesQuery>

/** The query of a chain's metric. */
export const metricQuery = (chainId: string, metric: MetricName, range: MetricRange = {}): SeriesQuery =>
  seriesQuery('metric', chainId, metric, range, (query, signal) =>
    call(getMetric, { params: { chainId, metric }, query, signal }),
  )

/** The query of a network's metric. */
export const networkMetricQuery = (
  network: NetworkName,
  metric: NetworkMetricName,
  range: MetricRange,
): SeriesQuery =>
  seriesQuery('networkMetric', network, metric, range, (query, signal) =>
    call(getNetworkMetric, { params: { network, metric }, query, signal }),
  )
