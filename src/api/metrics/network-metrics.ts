import type { NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import { getNetworkMetric } from '../../../contract/metrics/network-metrics.ts'
import type { NetworkName } from '../current.ts'
import { call } from '../session.ts'
import { seriesQuery, type MetricRange, type SeriesQuery } from './series-query.ts'

/** The query of a network's metric. */
export const networkMetricQuery = (
  network: NetworkName,
  metric: NetworkMetricName,
  range: MetricRange,
): SeriesQuery =>
  seriesQuery('networkMetric', network, metric, range, (query, signal) =>
    call(getNetworkMetric, { params: { network, metric }, query, signal }),
  )
