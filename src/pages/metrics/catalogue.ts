import {
  intervalsOf,
  metricNames,
  type MetricName,
  type TimeInterval,
} from '../../../contract/metrics/metrics.ts'
import type { ChainFacts } from '../../api/current.ts'
import type { SeriesPoint } from '../../lib/series.ts'
import type { Interval } from '../../lib/series-periods.ts'
import { growth, ratio } from '../../lib/series-transforms.ts'
import type { Unit } from '../../lib/series-units.ts'

/** Series that the dashboard derives from metrics; the interface has none of them. */
export const derivedNames = [
  'txPerSender',
  'newAddresses',
  'txShare',
  'peakTps',
  'feePerTx',
  'contractsPerDeployer',
  'newDeployers',
] as const
export type DerivedName = (typeof derivedNames)[number]
export type SeriesName = MetricName | DerivedName

export const groups = ['Activity', 'Transactions', 'Gas and fees', 'Contracts'] as const
export type Group = (typeof groups)[number]

/** A metric that a derived series is made of; `total` asks for the sum over all chains. */
export type Ingredient = { readonly metric: MetricName; readonly of: 'chain' | 'total' }

/** All that pages know of a series besides its points. */
export type SeriesInfo = {
  readonly name: SeriesName
  readonly title: string
  readonly group: Group
  /** One sentence: what a value counts. */
  readonly about: string
  /** Sums stand on zero and may be added up; levels and rates are neither. */
  readonly sum: boolean
  readonly unit: (chain: ChainFacts) => Unit
  /** Counted from traces, which a node may lack (interface.md, Metric rules, 4). */
  readonly traced: boolean
  /** Made by the dashboard of other metrics; the interface does not have it. */
  readonly derived: boolean
  readonly intervals: readonly TimeInterval[]
  readonly needs: readonly Ingredient[]
  /** Makes the series of the ingredients' points, in their order. */
  readonly make: (
    ingredients: readonly (readonly SeriesPoint[])[],
    interval: Interval,
  ) => readonly SeriesPoint[]
  /** Whether the first period of a range needs the one before it. */
  readonly looksBack: boolean
}

const plain = (symbol: string) => (): Unit => ({ symbol, decimals: 0 })
const gwei = (): Unit => ({ symbol: 'gwei', decimals: 9 })
const token = (chain: ChainFacts): Unit => ({
  symbol: chain.symbol || 'native token',
  decimals: chain.decimals,
})

type Words = Pick<SeriesInfo, 'title' | 'group' | 'about' | 'sum' | 'unit'> & { readonly traced?: true }

const words: Readonly<Record<MetricName, Words>> = {
  activeAddresses: {
    title: 'Active addresses',
    group: 'Activity',
    about: 'Distinct addresses that sent or received a transaction or a token transfer in the period.',
    sum: true,
    unit: plain('addresses'),
  },
  activeSenders: {
    title: 'Active senders',
    group: 'Activity',
    about: 'Distinct addresses that sent a transaction or a token transfer in the period.',
    sum: true,
    unit: plain('addresses'),
  },
  cumulativeAddresses: {
    title: 'Addresses so far',
    group: 'Activity',
    about: 'Distinct addresses ever seen, from genesis to the end of the day.',
    sum: false,
    unit: plain('addresses'),
  },
  txCount: {
    title: 'Transactions',
    group: 'Transactions',
    about: 'Transactions in the period.',
    sum: true,
    unit: plain('tx'),
  },
  cumulativeTxCount: {
    title: 'Transactions so far',
    group: 'Transactions',
    about: 'All transactions from genesis to the end of the day.',
    sum: false,
    unit: plain('tx'),
  },
  avgTps: {
    title: 'Average TPS',
    group: 'Transactions',
    about:
      'Transactions of the day divided by the time between the last blocks of the day before and of the day.',
    sum: false,
    unit: plain('tx/s'),
  },
  maxTps: {
    title: 'Peak TPS',
    group: 'Transactions',
    about: 'The highest transactions a second of any block, by the time since the block before it.',
    sum: false,
    unit: plain('tx/s'),
  },
  gasUsed: {
    title: 'Gas used',
    group: 'Gas and fees',
    about: 'Gas used by all transactions in the period.',
    sum: true,
    unit: plain('gas'),
  },
  avgGps: {
    title: 'Average gas per second',
    group: 'Gas and fees',
    about: 'Gas of the day divided by the time between the last blocks of the day before and of the day.',
    sum: false,
    unit: plain('gas/s'),
  },
  maxGps: {
    title: 'Peak gas per second',
    group: 'Gas and fees',
    about: 'The highest gas a second of any block, by the time since the block before it.',
    sum: false,
    unit: plain('gas/s'),
  },
  avgGasPrice: {
    title: 'Average gas price',
    group: 'Gas and fees',
    about: 'The mean gas price that the receipts of the day name.',
    sum: false,
    unit: gwei,
  },
  maxGasPrice: {
    title: 'Highest gas price',
    group: 'Gas and fees',
    about: 'The highest gas price that any receipt of the day names.',
    sum: false,
    unit: gwei,
  },
  feesPaid: {
    title: 'Fees paid',
    group: 'Gas and fees',
    about: 'Gas used times gas price over all receipts of the day.',
    sum: true,
    unit: token,
  },
  contracts: {
    title: 'New contracts',
    group: 'Contracts',
    about: 'Contracts created in the day, inside calls too, found in traces.',
    sum: true,
    unit: plain('contracts'),
    traced: true,
  },
  deployers: {
    title: 'Deployers',
    group: 'Contracts',
    about: 'Distinct addresses that created a contract in the day, found in traces.',
    sum: true,
    unit: plain('deployers'),
    traced: true,
  },
  cumulativeContracts: {
    title: 'Contracts so far',
    group: 'Contracts',
    about: 'All contracts created from genesis to the start of the day.',
    sum: false,
    unit: plain('contracts'),
    traced: true,
  },
  cumulativeDeployers: {
    title: 'Deployers so far',
    group: 'Contracts',
    about: 'Distinct addresses that ever created a contract, from genesis to the end of the day.',
    sum: false,
    unit: plain('deployers'),
    traced: true,
  },
}

function asIs(ingredients: readonly (readonly SeriesPoint[])[]): readonly SeriesPoint[] {
  return ingredients[0] ?? []
}

const metrics: readonly SeriesInfo[] = metricNames.map((name) => ({
  ...words[name],
  name,
  traced: words[name].traced === true,
  derived: false,
  intervals: intervalsOf(name),
  needs: [{ metric: name, of: 'chain' }],
  make: asIs,
  looksBack: false,
}))

const own = (metric: MetricName): Ingredient => ({ metric, of: 'chain' })

const derivedBase = { traced: false, derived: true, looksBack: false } as const

const derived: readonly SeriesInfo[] = [
  {
    ...derivedBase,
    name: 'txPerSender',
    title: 'Transactions per sender',
    group: 'Activity',
    about: 'Transactions of the period divided by its active senders.',
    sum: false,
    unit: plain('tx'),
    intervals: intervalsOf('activeSenders'),
    needs: [own('txCount'), own('activeSenders')],
    make: ([count = [], senders = []]) => ratio(count, senders),
  },
  {
    ...derivedBase,
    name: 'newAddresses',
    title: 'New addresses',
    group: 'Activity',
    about: 'Addresses seen for the first time in the day: the growth of “Addresses so far”.',
    sum: true,
    unit: plain('addresses'),
    intervals: intervalsOf('cumulativeAddresses'),
    needs: [own('cumulativeAddresses')],
    make: ([all = []], interval) => growth(all, interval),
    looksBack: true,
  },
  {
    ...derivedBase,
    name: 'txShare',
    title: 'Share of all transactions',
    group: 'Activity',
    about: 'This chain’s transactions as a share of those of all chains here.',
    sum: false,
    unit: plain('%'),
    intervals: intervalsOf('txCount'),
    needs: [own('txCount'), { metric: 'txCount', of: 'total' }],
    make: ([part = [], all = []]) => ratio(part, all, { times: 100 }),
  },
  {
    ...derivedBase,
    name: 'peakTps',
    title: 'Peak to average TPS',
    group: 'Transactions',
    about: 'The day’s highest transactions a second over its average: how uneven the load was.',
    sum: false,
    unit: plain('×'),
    intervals: intervalsOf('maxTps'),
    needs: [own('maxTps'), own('avgTps')],
    make: ([highest = [], average = []]) => ratio(highest, average),
  },
  {
    ...derivedBase,
    name: 'feePerTx',
    title: 'Fee per transaction',
    group: 'Transactions',
    about: 'Fees paid divided by transactions of the day.',
    sum: false,
    unit: token,
    intervals: intervalsOf('feesPaid'),
    needs: [own('feesPaid'), own('txCount')],
    make: ([fees = [], count = []]) => ratio(fees, count, { floor: true }),
  },
  {
    ...derivedBase,
    name: 'contractsPerDeployer',
    title: 'Contracts per deployer',
    group: 'Contracts',
    about: 'Contracts created in the day divided by the addresses that created them.',
    sum: false,
    unit: plain('contracts'),
    traced: true,
    intervals: intervalsOf('deployers'),
    needs: [own('contracts'), own('deployers')],
    make: ([created = [], by = []]) => ratio(created, by),
  },
  {
    ...derivedBase,
    name: 'newDeployers',
    title: 'New deployers',
    group: 'Contracts',
    about: 'Addresses that created their first contract in the day: the growth of “Deployers so far”.',
    sum: true,
    unit: plain('deployers'),
    traced: true,
    intervals: intervalsOf('cumulativeDeployers'),
    needs: [own('cumulativeDeployers')],
    make: ([all = []], interval) => growth(all, interval),
    looksBack: true,
  },
]

/** The order of the page: a group holds whole rows of three, what it counts before what adds up. */
const order: readonly SeriesName[] = [
  'activeAddresses',
  'activeSenders',
  'txPerSender',
  'newAddresses',
  'cumulativeAddresses',
  'txShare',
  'txCount',
  'avgTps',
  'maxTps',
  'peakTps',
  'feePerTx',
  'cumulativeTxCount',
  'gasUsed',
  'avgGps',
  'maxGps',
  'feesPaid',
  'avgGasPrice',
  'maxGasPrice',
  'contracts',
  'deployers',
  'contractsPerDeployer',
  'cumulativeContracts',
  'cumulativeDeployers',
  'newDeployers',
]

/** Every series in the order of the page. */
export const catalogue: readonly SeriesInfo[] = [...metrics, ...derived].sort(
  (a, b) => order.indexOf(a.name) - order.indexOf(b.name),
)

/** The series of that name, undefined for a word that is none. */
export function seriesInfo(name: string | undefined): SeriesInfo | undefined {
  return catalogue.find((info) => info.name === name)
}

/** `wanted` where the series supports it, else the interval it has (most have the day only). */
export function supportedInterval(info: SeriesInfo, wanted: Interval): Interval {
  return info.intervals.includes(wanted) ? wanted : 'day'
}
