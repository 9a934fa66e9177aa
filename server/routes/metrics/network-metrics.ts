import { networkMetricEntry } from '../../../contract/metrics/network-catalogue.ts'
import { getNetworkMetric } from '../../../contract/metrics/network-metrics.ts'
import { primaryChainAliases } from '../../../contract/primary/fields.ts'
import { primaryTopic } from '../../events/hub.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'
import { toNumber } from '../../metrics/definitions.ts'
import { readNetworkRange, readNetworkSeries } from '../../metrics/network-series.ts'
import { askedPeriods, nextPeriod, periodsDown } from '../../metrics/periods.ts'
import { primaryChainKey } from '../../primary/chains.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { snapshot } from '../../store/snapshot.ts'

/** The metrics of a primary network and its L1s (docs/metrics.md, The network). */
export function networkMetricRoutes({ config, store, headCache }: RouteContext): Implementation[] {
  return [
    implement(getNetworkMetric, async ({ params, query }) => {
      const { metric } = params
      checkRange(query)
      const network = findNetwork(config, params.network)
      const chain = primaryChainKey(network.id, networkMetricEntry(metric).chain)
      const interval = query.timeInterval
      const scope = {
        operation: getNetworkMetric.id,
        filters: filtersOf({ metric, network: network.id }, query),
      }
      const page = (): Promise<string> => {
        const { database, pageTokens } = store.get()
        return snapshot(database, async (sql) => {
          const range = await readNetworkRange(sql, chain, metric)
          if (range === undefined) return toJson({ results: [] })
          // An expired page token is not an error: the listing restarts (docs/api.md, Keys and limits).
          const position =
            query.pageToken === undefined ? undefined : pageTokens.openMetrics(scope, query.pageToken)
          const { latest, earliest } = askedPeriods({ ...query, interval, position }, range.first, range.last)
          const starts = periodsDown(interval, latest, earliest, query.pageSize + 1)
          const next = starts[query.pageSize]
          const shown = starts.slice(0, query.pageSize)
          if (shown[0] === undefined) return toJson({ results: [] })
          const end = Math.min(nextPeriod(interval, shown[0]), range.last + 1)
          const values = await readNetworkSeries(sql, chain, metric, [...shown.toReversed(), end])
          return toJson({
            ...(next !== undefined && { nextPageToken: pageTokens.sealMetrics(scope, next) }),
            results: values
              .toReversed()
              .map((value, index) => ({ value: toNumber(value), timestamp: shown[index] ?? 0 })),
          })
        })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      // UTXOs and imports of one chain come with blocks of the others.
      const topics = primaryChainAliases.map((each) => primaryTopic(network.id, each))
      return headCache.get(JSON.stringify([scope, query.pageSize]), topics, page)
    }),
  ]
}
