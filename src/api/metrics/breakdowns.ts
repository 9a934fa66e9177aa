import { queryOptions } from '@tanstack/react-query'
import {
  getNetworkBreakdown,
  type BreakdownName,
  type NetworkBreakdown,
} from '../../../contract/metrics/breakdowns.ts'
import { metricsPageBounds } from '../../../contract/metrics/series.ts'
import type { NetworkName } from '../current.ts'
import { readPages } from '../pages.ts'
import { call } from '../session.ts'
import type { MetricRange } from './series.ts'

/** The largest parts of a range, and its points, oldest first; values in the order of the parts. */
type Breakdown = Pick<NetworkBreakdown, 'parts' | 'results'>

/** A series in parts. All pages are read at once: they list the same parts. */
export const breakdownQuery = (network: NetworkName, breakdown: BreakdownName, range: MetricRange) =>
  queryOptions({
    queryKey: [
      'breakdown',
      network,
      breakdown,
      range.interval ?? 'day',
      range.startTimestamp ?? null,
      range.endTimestamp ?? null,
    ],
    queryFn: async ({ signal }): Promise<Breakdown> => {
      const { interval = 'day', startTimestamp, endTimestamp } = range
      const pages = readPages((pageToken) =>
        call(getNetworkBreakdown, {
          params: { network, breakdown },
          query: {
            timeInterval: interval,
            pageSize: metricsPageBounds.max,
            startTimestamp,
            endTimestamp,
            pageToken,
          },
          signal,
        }),
      )
      let parts: NetworkBreakdown['parts'] = []
      const latestFirst: NetworkBreakdown['results'] = []
      for await (const page of pages) {
        if (latestFirst.length === 0) parts = page.parts
        latestFirst.push(...page.results)
      }
      return { parts, results: latestFirst.reverse() }
    },
    staleTime: 60_000,
  })
