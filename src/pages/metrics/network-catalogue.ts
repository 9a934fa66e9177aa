import {
  networkIntervals,
  networkMetricEntry,
  networkMetricGroups,
  networkMetricNames,
  type NetworkMetricUnit,
} from '../../../contract/metrics/network-catalogue.ts'
import type { NetworkName } from '../../api/current.ts'
import { networkMetricQuery } from '../../api/metrics/network-metrics.ts'
import { asIs, plain, token, type SeriesInfo } from './series-info.ts'

export const networkGroups = networkMetricGroups

const unitOf = (unit: NetworkMetricUnit): SeriesInfo['unit'] =>
  unit === 'amount' ? token : plain(unit === 'index' ? '' : unit)

/** Every series of a network, in the order of the page. */
export const networkCatalogue: readonly SeriesInfo[] = networkMetricNames.map((name) => {
  const { kind, title, group, about, unit, isPlanned } = networkMetricEntry(name)
  return {
    name,
    title,
    group,
    about,
    sum: kind === 'sum',
    addsUp: kind === 'sum',
    unit: unitOf(unit),
    traced: false,
    derived: false,
    intervals: networkIntervals,
    needs: [
      {
        metric: name,
        // The gate of the route lets only networks through.
        query: (network, range) => networkMetricQuery(network as NetworkName, name, range),
      },
    ],
    make: asIs,
    looksBack: false,
    planned: isPlanned === true,
  }
})
