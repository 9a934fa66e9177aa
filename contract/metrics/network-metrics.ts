import * as z from 'zod/mini'
import { networkName, nextPageToken, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { networkMetricNames } from './network-catalogue.ts'
import { metricPoint, seriesParameters } from './series.ts'

/**
 * Only in Ridgeline: `/v2/networks/{network}/metrics/{metric}`, latest point first (docs/metrics.md, The network).
 */
export const getNetworkMetric = operation({
  id: 'getNetworkMetric',
  path: '/v2/networks/{network}/metrics/{metric}',
  summary: 'A metric of a primary network and its L1s over time',
  tag: 'Metrics',
  params: z.object({ network: networkName, metric: z.enum(networkMetricNames) }),
  query: seriesParameters,
  response: record({ nextPageToken, results: z.array(metricPoint) }),
})
