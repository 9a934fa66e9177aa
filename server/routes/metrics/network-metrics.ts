import { networkMetricEntry } from '../../../contract/metrics/network-catalogue.ts'
import { getNetworkMetric } from '../../../contract/metrics/network-metrics.ts'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { primaryTopic } from '../../events/hub.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'
import { readNetworkPoints } from '../../metrics/network-points.ts'
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
          // An expired page token is not an error: the listing restarts (docs/api.md, Keys and limits).
          const position =
            query.pageToken === undefined ? undefined : pageTokens.openMetrics(scope, query.pageToken)
          const { next, results } = await readNetworkPoints(sql, chain, {
            ...query,
            metric,
            interval,
            position,
          })
          return toJson({
            ...(next !== undefined && { nextPageToken: pageTokens.sealMetrics(scope, next) }),
            results,
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
