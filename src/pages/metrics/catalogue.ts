import { metricGroups, type MetricName } from '../../../contract/metrics/catalogue.ts'
import { chainSeries } from '../../../charts/catalogue/chain.ts'
import { metricQuery } from '../../api/metrics/series.ts'
import type { SeriesInfo } from './series-info.ts'

export const groups = metricGroups

/** Every series of a chain, in the order of the page. */
export const catalogue: readonly SeriesInfo[] = chainSeries.map((one) => ({
  ...one,
  needs: one.needs.map(({ metric, of }) => ({
    metric,
    // The catalogue names metrics of the contract only.
    query: (chainId, range) => metricQuery(of === 'total' ? of : chainId, metric as MetricName, range),
  })),
}))
