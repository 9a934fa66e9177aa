import {
  networkIntervals,
  networkMetricEntry,
  networkMetricNames,
  type NetworkMetricUnit,
} from '../../contract/metrics/network-catalogue.ts'
import { asIs, plain, token, type SeriesDefinition } from './definition.ts'

const unitOf = (unit: NetworkMetricUnit): SeriesDefinition['unit'] =>
  unit === 'amount' ? token : plain(unit === 'index' ? '' : unit)

/** Every series of a network, in the order of the page. */
export const networkSeries: readonly SeriesDefinition[] = networkMetricNames.map((name) => {
  const { kind, title, group, about, unit, isPlanned, isGradual } = networkMetricEntry(name)
  return {
    name,
    title,
    group,
    about,
    sum: kind === 'sum',
    isLevel: kind === 'level' && isGradual !== true,
    addsUp: kind === 'sum',
    unit: unitOf(unit),
    traced: false,
    derived: false,
    intervals: networkIntervals,
    needs: [{ metric: name, of: 'own' }],
    make: asIs,
    looksBack: false,
    planned: isPlanned === true,
  }
})
