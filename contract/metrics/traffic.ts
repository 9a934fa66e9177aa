import * as z from 'zod/mini'
import { networkName, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { metricPoint } from './series.ts'

/** The days of `listChainTraffic`: enough for the mean of twelve weeks. */
export const trafficDays = 90

/**
 * Only in Ridgeline: what an overview of all chains counts, in one answer. The points are those of the metric
 * `txCount` (docs/metrics.md), the open hour and day included.
 */
export const listChainTraffic = operation({
  id: 'listChainTraffic',
  path: '/v1/traffic',
  summary: 'The transactions of every EVM chain by hour and by day',
  tag: 'Ridgeline',
  query: z.object({ network: z.optional(networkName) }),
  response: record({
    chains: z.array(
      record({
        chainId: z.string(),
        hours: z
          .array(metricPoint)
          .with(z.describe('Transactions an hour since 24 hours before this hour began, latest first')),
        days: z
          .array(metricPoint)
          .with(z.describe(`Transactions a day (UTC) of the last ${trafficDays} days, latest first`)),
      }),
    ),
  }),
})
