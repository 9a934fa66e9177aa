import * as z from 'zod/mini'
import { networkName } from '../base/fields.ts'
import { metricEntry, metricNames } from '../metrics/catalogue.ts'
import { derivedNames, hourlyDerivedNames } from '../metrics/derived.ts'
import { metricsChainId } from '../metrics/metrics.ts'
import { networkMetricEntry, networkMetricNames } from '../metrics/network-catalogue.ts'
import { COMPARE_SEPARATOR, maxSeries, viewModes } from '../metrics/view.ts'
import { intervalQuery, pictureOperations, rangeQuery, scaleQuery } from './form.ts'

/** The metrics that have hours of the week. */
const hourlyMetricNames = metricNames.filter((name) => metricEntry(name).intervals.includes('hour'))
/** The level of a network has no rhythm, and what is planned has no past. */
const hourlyNetworkMetricNames = networkMetricNames.filter((name) => {
  const { kind, isPlanned } = networkMetricEntry(name)
  return kind === 'sum' && isPlanned !== true
})

const compared = z
  .string()
  .check(
    z.maxLength(500),
    z.regex(
      new RegExp(`^[0-9A-Za-z]{1,64}(?:${COMPARE_SEPARATOR}[0-9A-Za-z]{1,64}){0,${maxSeries - 2}}$`),
      `must be 1 to ${maxSeries - 1} chain IDs, joined by ${COMPARE_SEPARATOR}`,
    ),
    z.describe(`Chains to compare with, joined by \`${COMPARE_SEPARATOR}\``),
  )

/** The query of a page with one large chart. */
const viewQuery = {
  ...rangeQuery,
  ...intervalQuery,
  ...scaleQuery,
  second: z
    .optional(z.string().check(z.minLength(1), z.maxLength(120)))
    .with(z.describe('A second series with its own axis: `metric`, or `chain/metric` or `network/metric`')),
}

/** What only the charts of chains have. */
const comparison = {
  compare: z.optional(compared),
  mode: z
    ._default(z.enum(viewModes), 'plain')
    .with(z.describe('How compared chains are drawn; `stacked` needs sums in one unit')),
}

/** Only in Ridgeline: the chart of a metric of a chain (docs/embedding.md). */
export const { picture: getMetricPicture, frame: getMetricFrame } = pictureOperations({
  name: 'Metric',
  path: '/chain/{chainId}/metrics/{metric}',
  chart: 'The chart of a metric of a chain',
  params: { chainId: metricsChainId, metric: z.enum([...metricNames, ...derivedNames]) },
  query: { ...viewQuery, ...comparison },
})

/** Only in Ridgeline: the chart of a metric of a network (docs/embedding.md). */
export const { picture: getNetworkMetricPicture, frame: getNetworkMetricFrame } = pictureOperations({
  name: 'NetworkMetric',
  path: '/networks/{network}/metrics/{metric}',
  chart: 'The chart of a metric of a network',
  params: { network: networkName, metric: z.enum(networkMetricNames) },
  query: viewQuery,
})

/** Only in Ridgeline: the hours of the week of a metric (docs/embedding.md). */
export const metricWeekPicture = pictureOperations({
  name: 'MetricWeek',
  path: '/chain/{chainId}/metrics/{metric}/week',
  chart: 'The mean of each hour of the week of a metric of a chain, over the last 90 days',
  params: { chainId: metricsChainId, metric: z.enum([...hourlyMetricNames, ...hourlyDerivedNames]) },
  query: {},
})

/** Only in Ridgeline: the same for a metric of a network that is counted by hour. */
export const networkMetricWeekPicture = pictureOperations({
  name: 'NetworkMetricWeek',
  path: '/networks/{network}/metrics/{metric}/week',
  chart: 'The mean of each hour of the week of a metric of a network, over the last 90 days',
  params: { network: networkName, metric: z.enum(hourlyNetworkMetricNames) },
  query: {},
})
