import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import { getMetric } from '../../../contract/metrics/metrics.ts'
import { call } from '../session.ts'
import { seriesQuery, type MetricRange, type SeriesQuery } from './series-query.ts'

/** The query of a chain's metric. */
export const metricQuery = (chainId: string, metric: MetricName, range: MetricRange = {}): SeriesQuery =>
  seriesQuery('metric', chainId, metric, range, (query, signal) =>
    call(getMetric, { params: { chainId, metric }, query, signal }),
  )
