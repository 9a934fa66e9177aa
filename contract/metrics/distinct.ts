import * as z from 'zod/mini'
import { record, timeWindow, wideInteger } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { metricsChainId } from './metrics.ts'

/** The metrics whose addresses can be counted over a range: their values of several periods don't add up. */
export const distinctNames = ['activeAddresses', 'activeSenders'] as const
export type DistinctName = (typeof distinctNames)[number]

/** Whether a metric's addresses can be counted over a range. */
export const isDistinct = (name: string): name is DistinctName =>
  (distinctNames as readonly string[]).includes(name)

/** Only in Ridgeline: `/v2/chains/{chainId}/metrics/{metric}/distinct` (docs/metrics.md, Distinct addresses of a range). */
export const countDistinct = operation({
  id: 'countDistinct',
  path: '/v2/chains/{chainId}/metrics/{metric}/distinct',
  summary: 'The distinct addresses of a metric in a range',
  description:
    'Each address counts once, however many periods it was active in. Both ends of the range are exclusive, and it consists of whole hours UTC. A range that ended before the newest final block has an exact answer only if it is a single hour, day, week or month; any other is a 400.',
  tag: 'Metrics',
  params: z.object({ chainId: metricsChainId, metric: z.enum(distinctNames) }),
  query: z.object({
    ...timeWindow,
  }),
  response: record({
    value: wideInteger.with(z.describe('For a group of chains, the sum over its chains')),
  }),
})
