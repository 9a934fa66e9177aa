import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { listLargestTraffic } from '../../../contract/metrics/largest-traffic.ts'
import { metricsPageBounds, type MetricPoint } from '../../../contract/metrics/series.ts'
import { supportedInterval } from '../../../charts/catalogue/definition.ts'
import { largestLayers, largestNote } from '../../../charts/catalogue/largest.ts'
import { boundsOf, hasNoValue } from '../../../charts/catalogue/view.ts'
import type { Interval } from '../../../charts/series/periods.ts'
import type { TimeRange } from '../../../charts/series/range.ts'
import { readPages } from '../../api/pages.ts'
import { call, session } from '../../api/session.ts'
import { StackedChart } from '../metrics/stacked-chart.tsx'
import { refresh } from '../metrics/use-series.ts'
import { chartPlot } from './places.tsx'
import { transactions, type TransactionsProps } from './transactions-chart.tsx'

/** The layers of the chart over a range, in one answer however many chains there are; points are oldest first. */
const largestQuery = (interval: Interval, { from, to }: TimeRange) =>
  queryOptions({
    queryKey: ['largestTraffic', interval, from, to],
    queryFn: async ({ signal }) => {
      const { network } = (await session()).profile
      const chains = new Map<string, MetricPoint[]>()
      const others = { count: 0, points: [] as MetricPoint[] }
      const pages = readPages((pageToken) =>
        call(listLargestTraffic, {
          query: {
            network,
            timeInterval: interval,
            pageSize: metricsPageBounds.max,
            // Both ends are exclusive.
            startTimestamp: from === null ? undefined : from - 1,
            endTimestamp: to,
            pageToken,
          },
          signal,
        }),
      )
      for await (const page of pages) {
        for (const { chainId, points } of page.chains)
          chains.set(chainId, [...points.toReversed(), ...(chains.get(chainId) ?? [])])
        others.count = page.others?.chainCount ?? 0
        others.points.unshift(...(page.others?.points.toReversed() ?? []))
      }
      return { chains, others }
    },
    staleTime: refresh,
  })

/**
 * The transactions of more chains than a chart names, over the range in the URL: the largest in that range, stacked, each
 * in its chain's colour, and all others as one.
 */
export function LargestChart({ chains, url, now, note, ...chart }: TransactionsProps): ReactNode {
  const interval = supportedInterval(transactions, url.wanted)
  const bounds = boundsOf(transactions, url.range, interval, now)
  const { data, error, refetch } = useQuery({
    ...largestQuery(interval, bounds),
    refetchInterval: bounds.to > now ? refresh : false,
  })
  const series = useMemo(
    () =>
      largestLayers(
        transactions,
        chains.flatMap((chain) => {
          const points = data?.chains.get(chain.chainId)
          return points ? [{ chain, points }] : []
        }),
        data?.others,
      ),
    [chains, data],
  )
  const instead = () => {
    if (data) return hasNoValue(series) ? ({ state: 'empty' } as const) : undefined
    return error ? ({ state: 'failed', error } as const) : ({ state: 'loading' } as const)
  }
  return (
    <StackedChart
      {...chart}
      info={transactions}
      instead={instead()}
      series={series}
      interval={interval}
      range={bounds}
      now={now}
      height={chartPlot}
      note={(open) => `${note(interval, open)} · ${largestNote(chains.length)}`}
      url={url}
      table={transactions.name}
      onRetry={() => void refetch()}
    />
  )
}
