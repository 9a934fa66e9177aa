/** The periods that a series may have; each metric names its own (docs/metrics.md). */
export const timeIntervals = ['hour', 'day', 'week', 'month'] as const
export type TimeInterval = (typeof timeIntervals)[number]

export const metricGroups = ['Activity', 'Transactions', 'Gas and fees', 'Contracts'] as const

/**
 * What a value counts. A `gas price` and an `amount` are in the chain's smallest unit; pages show the one in gwei, the
 * other in the chain's token.
 */
export type MetricUnit =
  'addresses' | 'tx' | 'tx/s' | 'gas' | 'gas/s' | 'gas price' | 'amount' | 'contracts' | 'deployers'

/** What the API, the pages and the documents say of a metric. How it is computed is in server/metrics/definitions.ts. */
export type MetricEntry = {
  readonly title: string
  readonly group: (typeof metricGroups)[number]
  /** One sentence: what a value counts. */
  readonly about: string
  /** Sums start at zero and may be added up; levels and rates are neither. */
  readonly sum: boolean
  readonly unit: MetricUnit
  readonly intervals: readonly TimeInterval[]
  /** Counted from traces, which a node may lack. */
  readonly traced?: true
}

/** Every metric, in the order in which a group of the metrics page shows them. */
export const metricCatalogue = {
  activeAddresses: {
    title: 'Active addresses',
    group: 'Activity',
    about: 'Distinct addresses that sent or received a transaction or a token transfer in the period.',
    sum: true,
    unit: 'addresses',
    intervals: timeIntervals,
  },
  activeSenders: {
    title: 'Active senders',
    group: 'Activity',
    about: 'Distinct addresses that sent a transaction or a token transfer in the period.',
    sum: true,
    unit: 'addresses',
    intervals: timeIntervals,
  },
  cumulativeAddresses: {
    title: 'Addresses so far',
    group: 'Activity',
    about: 'Distinct addresses ever seen, from genesis to the end of the day.',
    sum: false,
    unit: 'addresses',
    intervals: ['day'],
  },
  txCount: {
    title: 'Transactions',
    group: 'Transactions',
    about: 'Transactions in the period.',
    sum: true,
    unit: 'tx',
    intervals: timeIntervals,
  },
  avgTps: {
    title: 'Average TPS',
    group: 'Transactions',
    about:
      'Transactions of the day divided by the time between the last blocks of the day before and of the day.',
    sum: false,
    unit: 'tx/s',
    intervals: ['day'],
  },
  maxTps: {
    title: 'Peak TPS',
    group: 'Transactions',
    about: 'The highest transactions a second of any block, by the time since the block before it.',
    sum: false,
    unit: 'tx/s',
    intervals: ['day'],
  },
  cumulativeTxCount: {
    title: 'Transactions so far',
    group: 'Transactions',
    about: 'All transactions from genesis to the end of the day.',
    sum: false,
    unit: 'tx',
    intervals: ['day'],
  },
  gasUsed: {
    title: 'Gas used',
    group: 'Gas and fees',
    about: 'Gas used by all transactions in the period.',
    sum: true,
    unit: 'gas',
    intervals: timeIntervals,
  },
  avgGps: {
    title: 'Average gas per second',
    group: 'Gas and fees',
    about: 'Gas of the day divided by the time between the last blocks of the day before and of the day.',
    sum: false,
    unit: 'gas/s',
    intervals: ['day'],
  },
  maxGps: {
    title: 'Peak gas per second',
    group: 'Gas and fees',
    about: 'The highest gas a second of any block, by the time since the block before it.',
    sum: false,
    unit: 'gas/s',
    intervals: ['day'],
  },
  feesPaid: {
    title: 'Fees paid',
    group: 'Gas and fees',
    about: 'Gas used times gas price over all receipts of the day.',
    sum: true,
    unit: 'amount',
    intervals: ['day'],
  },
  avgGasPrice: {
    title: 'Average gas price',
    group: 'Gas and fees',
    about: 'The mean gas price that the receipts of the day name.',
    sum: false,
    unit: 'gas price',
    intervals: ['day'],
  },
  maxGasPrice: {
    title: 'Highest gas price',
    group: 'Gas and fees',
    about: 'The highest gas price that any receipt of the day names.',
    sum: false,
    unit: 'gas price',
    intervals: ['day'],
  },
  contracts: {
    title: 'New contracts',
    group: 'Contracts',
    about: 'Contracts created in the day, inside calls too, found in traces.',
    sum: true,
    unit: 'contracts',
    traced: true,
    intervals: ['day'],
  },
  deployers: {
    title: 'Deployers',
    group: 'Contracts',
    about: 'Distinct addresses that created a contract in the day, found in traces.',
    sum: true,
    unit: 'deployers',
    traced: true,
    intervals: ['day'],
  },
  cumulativeContracts: {
    title: 'Contracts so far',
    group: 'Contracts',
    about: 'All contracts created from genesis to the start of the day.',
    sum: false,
    unit: 'contracts',
    traced: true,
    intervals: ['day'],
  },
  cumulativeDeployers: {
    title: 'Deployers so far',
    group: 'Contracts',
    about: 'Distinct addresses that ever created a contract, from genesis to the end of the day.',
    sum: false,
    unit: 'deployers',
    traced: true,
    intervals: ['day'],
  },
} as const satisfies Readonly<Record<string, MetricEntry>>

export type MetricName = keyof typeof metricCatalogue
export const metricNames = Object.keys(metricCatalogue) as readonly MetricName[]

/** The entry of a metric. */
export function metricEntry(metric: MetricName): MetricEntry {
  return metricCatalogue[metric]
}

/** The intervals that a metric supports. */
export function intervalsOf(metric: MetricName): readonly TimeInterval[] {
  return metricCatalogue[metric].intervals
}
