import * as z from 'zod/mini'
import { networkName, nextPageToken, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { metricPoint, seriesParameters } from './series.ts'

/**
 * Only in Ridgeline: the layers of a chart of many chains over any range, in one answer however many chains there are.
 * The points are those of the metric `txCount`; a page has the latest periods that are left, of all chains alike.
 */
export const listLargestTraffic = operation({
  id: 'listLargestTraffic',
  path: '/v1/traffic:listLargest',
  summary: 'The transactions over time of the EVM chains with the most, and of all others',
  tag: 'Ridgeline',
  query: z.object({ network: z.optional(networkName), ...seriesParameters.shape }),
  response: record({
    nextPageToken,
    chains: z.array(record({ chainId: z.string(), points: z.array(metricPoint) })),
    others: z.optional(record({ chainCount: z.int(), points: z.array(metricPoint) })),
  }),
})
