import { breakdownCatalogue, breakdownNames } from './breakdowns.ts'
import { metricEntry, metricNames } from './catalogue.ts'
import { networkMetricEntry, networkMetricNames } from './network-catalogue.ts'

/**
 * The descriptions of the operations that have one metric each, by the operation's id: a list of all metrics. Only the
 * document has them, because the pages would load them with the operations.
 */
export const metricDescriptions: Readonly<Record<string, string>> = {
  getMetric: metricNames
    .map((name) => {
      const { about, unit, intervals } = metricEntry(name)
      return `- \`${name}\` (${unit}; by ${intervals.join(', ')}): ${about}`
    })
    .join('\n'),
  getNetworkBreakdown: breakdownNames
    .map((name) => {
      const { about, unit } = breakdownCatalogue[name]
      return `- \`${name}\` (${unit}): ${about}`
    })
    .join('\n'),
  getNetworkMetric: networkMetricNames
    .map((name) => {
      const { about, unit } = networkMetricEntry(name)
      return `- \`${name}\` (${unit === 'amount' ? 'nAVAX' : unit}): ${about}`
    })
    .join('\n'),
}
