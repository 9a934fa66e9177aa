import { networkMetricGroups, type NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import { networkSeries } from '../../../charts/catalogue/network.ts'
import type { NetworkName } from '../../api/current.ts'
import { networkMetricQuery } from '../../api/metrics/series.ts'
import type { SeriesInfo } from './series-info.ts'

export const networkGroups = networkMetricGroups

/** Every series of a network, in the order of the page. */
export const networkCatalogue: readonly SeriesInfo[] = networkSeries.map((one) => ({
  ...one,
  needs: one.needs.map(({ metric }) => ({
    metric,
    // The gate of the route lets only networks through, and the catalogue names metrics of the contract only.
    query: (network, range) => networkMetricQuery(network as NetworkName, metric as NetworkMetricName, range),
  })),
}))
