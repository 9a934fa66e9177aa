import {
  addsUp,
  intervalsOf,
  metricEntry,
  metricNames,
  type MetricName,
  type MetricUnit,
} from '../../contract/metrics/catalogue.ts'
import { growth, ratio } from '../series/transforms.ts'
import type { Unit } from '../series/units.ts'
import type { DerivedName } from '../../contract/metrics/derived.ts'
import { asIs, plain, token, type Need, type SeriesDefinition } from './definition.ts'

type SeriesName = MetricName | DerivedName

const gwei = (): Unit => ({ symbol: 'gwei', decimals: 9 })
const unitOf = (unit: MetricUnit): SeriesDefinition['unit'] =>
  unit === 'gas price' ? gwei : unit === 'amount' ? token : plain(unit)

const own = (metric: MetricName): Need => ({ metric, of: 'own' })

const metrics: readonly SeriesDefinition[] = metricNames.map((name) => {
  const entry = metricEntry(name)
  return {
    ...entry,
    name,
    sum: addsUp(entry),
    addsUp: addsUp(entry) && entry.kind !== 'distinct',
    unit: unitOf(entry.unit),
    traced: entry.traced === true,
    derived: false,
    needs: [own(name)],
    make: asIs,
    looksBack: false,
  }
})

const derivedBase = { traced: false, derived: true, looksBack: false } as const

const derived: readonly (SeriesDefinition & { readonly name: DerivedName; readonly after: SeriesName })[] = [
  {
    ...derivedBase,
    name: 'txPerSender',
    after: 'activeSenders',
    title: 'Transactions per sender',
    group: 'Activity',
    about: 'Transactions of the period divided by its active senders.',
    sum: false,
    addsUp: false,
    unit: plain('tx'),
    intervals: intervalsOf('activeSenders'),
    needs: [own('txCount'), own('activeSenders')],
    make: ([count = [], senders = []]) => ratio(count, senders),
  },
  {
    ...derivedBase,
    name: 'newAddresses',
    after: 'txPerSender',
    title: 'New addresses',
    group: 'Activity',
    about: 'Addresses seen for the first time in the day: the growth of “Addresses so far”.',
    sum: true,
    addsUp: true,
    unit: plain('addresses'),
    intervals: intervalsOf('cumulativeAddresses'),
    needs: [own('cumulativeAddresses')],
    make: ([all = []], interval) => growth(all, interval),
    looksBack: true,
  },
  {
    ...derivedBase,
    name: 'txShare',
    after: 'cumulativeAddresses',
    title: 'Share of all transactions',
    group: 'Activity',
    about: 'This chain’s transactions as a share of those of all chains here.',
    sum: false,
    addsUp: false,
    unit: plain('%'),
    intervals: intervalsOf('txCount'),
    needs: [own('txCount'), { metric: 'txCount', of: 'total' }],
    make: ([part = [], all = []]) => ratio(part, all, { times: 100 }),
  },
  {
    ...derivedBase,
    name: 'peakTps',
    after: 'maxTps',
    title: 'Peak to average TPS',
    group: 'Transactions',
    about: 'The day’s highest transactions a second over its average: how uneven the load was.',
    sum: false,
    addsUp: false,
    unit: plain('×'),
    intervals: intervalsOf('maxTps'),
    needs: [own('maxTps'), own('avgTps')],
    make: ([highest = [], average = []]) => ratio(highest, average),
  },
  {
    ...derivedBase,
    name: 'feePerTx',
    after: 'peakTps',
    title: 'Fee per transaction',
    group: 'Transactions',
    about: 'Fees paid divided by transactions of the day.',
    sum: false,
    addsUp: false,
    unit: token,
    intervals: intervalsOf('feesPaid'),
    needs: [own('feesPaid'), own('txCount')],
    make: ([fees = [], count = []]) => ratio(fees, count, { floor: true }),
  },
  {
    ...derivedBase,
    name: 'contractsPerDeployer',
    after: 'deployers',
    title: 'Contracts per deployer',
    group: 'Contracts',
    about: 'Contracts created in the day divided by the addresses that created them.',
    sum: false,
    addsUp: false,
    unit: plain('contracts'),
    traced: true,
    intervals: intervalsOf('deployers'),
    needs: [own('contracts'), own('deployers')],
    make: ([created = [], by = []]) => ratio(created, by),
  },
  {
    ...derivedBase,
    name: 'newDeployers',
    after: 'cumulativeDeployers',
    title: 'New deployers',
    group: 'Contracts',
    about: 'Addresses that created their first contract in the day: the growth of “Deployers so far”.',
    sum: true,
    addsUp: true,
    unit: plain('deployers'),
    traced: true,
    intervals: intervalsOf('cumulativeDeployers'),
    needs: [own('cumulativeDeployers')],
    make: ([all = []], interval) => growth(all, interval),
    looksBack: true,
  },
]

/** Every series in the order of the page: the catalogue's, each derived series after the one that it names. */
export const chainSeries: readonly SeriesDefinition[] = derived.reduce(
  (list, { after, ...info }) => list.toSpliced(list.findIndex(({ name }) => name === after) + 1, 0, info),
  metrics,
)
