import { intervalsOf, metricNames, type MetricName, type TimeInterval } from '../../../contract/metrics.ts'
import type { ChainFacts } from '../../api/current.ts'
import type { SeriesPoint } from '../../lib/series.ts'
import type { Interval } from '../../lib/series-periods.ts'
import { growth, ratio } from '../../lib/series-transforms.ts'
import type { Unit } from '../../lib/series-units.ts'

/** Series that the dashboard derives from metrics; the interface has none of them. */
export const derivedNames = ['newAddresses', 'feePerTx', 'peakTps', 'txShare'] as const
export type DerivedName = (typeof derivedNames)[number]
export type SeriesName = MetricName | DerivedName

export const groups = ['Activity', 'Transactions', 'Gas and fees', 'Contracts', 'Derived'] as const
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
    title: 'Average gas a second',
    group: 'Gas and fees',
    about: 'Gas of the day divided by the time between the last blocks of the day before and of the day.',
    sum: false,
    unit: plain('gas/s'),
  },
  maxGps: {
    title: 'Peak gas a second',
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
  intervals: intervalsOf(name),
  needs: [{ metric: name, of: 'chain' }],
  make: asIs,
  looksBack: false,
}))

const derived: readonly SeriesInfo[] = [
  {
    name: 'newAddresses',
    title: 'New addresses',
    group: 'Derived',
    about: 'Addresses seen for the first time in the day: the growth of “Addresses so far”.',
    sum: true,
    unit: plain('addresses'),
    traced: false,
    intervals: intervalsOf('cumulativeAddresses'),
    needs: [{ metric: 'cumulativeAddresses', of: 'chain' }],
    make: ([all = []], interval) => growth(all, interval),
    looksBack: true,
  },
  {
    name: 'feePerTx',
    title: 'Fee per transaction',
    group: 'Derived',
    about: 'Fees paid divided by transactions of the day.',
    sum: false,
    unit: token,
    traced: false,
    intervals: intervalsOf('feesPaid'),
    needs: [
      { metric: 'feesPaid', of: 'chain' },
      { metric: 'txCount', of: 'chain' },
    ],
    make: ([fees = [], count = []]) => ratio(fees, count, { floor: true }),
    looksBack: false,
  },
  {
    name: 'peakTps',
    title: 'Peak to average TPS',
    group: 'Derived',
    about: 'The day’s highest transactions a second over its average: how uneven the load was.',
    sum: false,
    unit: plain('×'),
    traced: false,
    intervals: intervalsOf('maxTps'),
    needs: [
      { metric: 'maxTps', of: 'chain' },
      { metric: 'avgTps', of: 'chain' },
    ],
    make: ([highest = [], average = []]) => ratio(highest, average),
    looksBack: false,
  },
  {
    name: 'txShare',
    title: 'Share of all transactions',
    group: 'Derived',
    about: 'This chain’s transactions as a share of those of all chains here.',
    sum: false,
    unit: plain('%'),
    traced: false,
    intervals: intervalsOf('txCount'),
    needs: [
      { metric: 'txCount', of: 'chain' },
      { metric: 'txCount', of: 'total' },
    ],
    make: ([own = [], all = []]) => ratio(own, all, { times: 100 }),
    looksBack: false,
  },
]

/** Every series in the order of the page: by group, metrics before derived ones. */
export const catalogue: readonly SeriesInfo[] = groups.flatMap((group) =>
  [...metrics, ...derived].filter((info) => info.group === group),
)

/** The series of that name, undefined for a word that is none. */
export function seriesInfo(name: string | undefined): SeriesInfo | undefined {
  return catalogue.find((info) => info.name === name)
}

/** `wanted` where the series supports it, else the interval it has (most have the day only). */
export function supportedInterval(info: SeriesInfo, wanted: Interval): Interval {
  return info.intervals.includes(wanted) ? wanted : 'day'
}
