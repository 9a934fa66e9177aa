import { timeIntervals, type TimeInterval } from './intervals.ts'

export const metricGroups = [
  'Activity',
  'Transactions',
  'Gas and fees',
  'Contracts',
  'Cross-chain messages',
] as const

/**
 * The unit of a value. A `gas price` and an `amount` are in the chain's smallest unit; pages show the former
 * in gwei and the latter in the chain's token.
 */
export type MetricUnit =
  | 'addresses'
  | 'tx'
  | 'tx/s'
  | 'gas'
  | 'gas/s'
  | 'gas price'
  | 'amount'
  | '%'
  | 'contracts'
  | 'deployers'
  | 'tokens'
  | 'transfers'
  | 'logs'
  | 'messages'

/**
 * How the value of a period is computed (server/metrics/definitions.ts); `of` is the counted quantity.
 *
 * - `sum`: the increase in the period
 * - `distinct`: addresses that are new in the period
 * - `total`: everything from the first block to the period's start or end
 * - `rate`: the increase divided by the time between the last blocks of the previous and of this period
 * - `peak`: the highest rate of one second
 * - `mean`, `maximum`, `median`: over the transactions of the period; a median is computed from their rows
 * - `share`: the increase of one quantity in per cent of the increase of another
 * - `first`: what appeared for the first time in the period; counted from the rows of tokens
 * - `messages`: cross-chain messages of the period; counted from their rows
 */
export type MetricKind =
  | {
      readonly kind: 'sum'
      readonly of:
        'txs' | 'gas' | 'fees' | 'burned' | 'priority' | 'failed' | 'contracts' | 'transfers' | 'logs'
    }
  | { readonly kind: 'distinct'; readonly of: 'addresses' | 'senders' | 'deployers' }
  | {
      readonly kind: 'total'
      readonly of: 'txs' | 'addresses' | 'contracts' | 'deployers'
      readonly at: 'start' | 'end'
    }
  | { readonly kind: 'rate' | 'peak'; readonly of: 'txs' | 'gas' }
  | { readonly kind: 'mean' | 'maximum' | 'median'; readonly of: 'gas_price' }
  | { readonly kind: 'share'; readonly of: 'gas'; readonly per: 'gas_limit' }
  | { readonly kind: 'share'; readonly of: 'failed'; readonly per: 'txs' }
  | { readonly kind: 'first'; readonly of: 'tokens' }
  | { readonly kind: 'messages'; readonly of: 'sent' | 'delivered' }

/**
 * The description and definition of a metric, from which the service, `npm run verify`, pages and API
 * documents are derived.
 */
type MetricEntry = MetricKind & {
  readonly title: string
  readonly group: (typeof metricGroups)[number]
  /** What a value counts, as shown on pages and in the OpenAPI document. */
  readonly about: string
  readonly unit: MetricUnit
  readonly intervals: readonly TimeInterval[]
  /** Counted from traces, which a node may not support. */
  readonly traced?: true
}

/** All metrics, in the order in which a group of the metrics page shows them. */
export const metricCatalogue = {
  activeAddresses: {
    kind: 'distinct',
    of: 'addresses',
    title: 'Active addresses',
    group: 'Activity',
    about: 'Distinct addresses that sent or received a transaction or a token transfer in the period.',
    unit: 'addresses',
    intervals: timeIntervals,
  },
  activeSenders: {
    kind: 'distinct',
    of: 'senders',
    title: 'Active senders',
    group: 'Activity',
    about: 'Distinct addresses that sent a transaction or a token transfer in the period.',
    unit: 'addresses',
    intervals: timeIntervals,
  },
  cumulativeAddresses: {
    kind: 'total',
    of: 'addresses',
    at: 'end',
    title: 'Addresses so far',
    group: 'Activity',
    about: 'Distinct addresses ever seen, from genesis to the end of the day.',
    unit: 'addresses',
    intervals: ['day'],
  },
  tokenTransfers: {
    kind: 'sum',
    of: 'transfers',
    title: 'Token transfers',
    group: 'Activity',
    about: 'Token transfers in the period; each ID of a batch is one.',
    unit: 'transfers',
    intervals: timeIntervals,
  },
  txCount: {
    kind: 'sum',
    of: 'txs',
    title: 'Transactions',
    group: 'Transactions',
    about: 'All transactions of the period’s blocks, failed ones included.',
    unit: 'tx',
    intervals: timeIntervals,
  },
  avgTps: {
    kind: 'rate',
    of: 'txs',
    title: 'Average TPS',
    group: 'Transactions',
    about:
      'Transactions of the day divided by the time between the last blocks of the day before and of the day.',
    unit: 'tx/s',
    intervals: ['day'],
  },
  maxTps: {
    kind: 'peak',
    of: 'txs',
    title: 'Peak TPS',
    group: 'Transactions',
    about:
      'The highest transactions a second: those of one second, over the time since the last second with a block.',
    unit: 'tx/s',
    intervals: ['day'],
  },
  cumulativeTxCount: {
    kind: 'total',
    of: 'txs',
    at: 'end',
    title: 'Transactions so far',
    group: 'Transactions',
    about: 'All transactions from genesis to the end of the day.',
    unit: 'tx',
    intervals: ['day'],
  },
  failedTxCount: {
    kind: 'sum',
    of: 'failed',
    title: 'Failed transactions',
    group: 'Transactions',
    about: 'Transactions of the period that failed: included in a block, paid for and reverted.',
    unit: 'tx',
    intervals: timeIntervals,
  },
  failedTxShare: {
    kind: 'share',
    of: 'failed',
    per: 'txs',
    title: 'Share of failed transactions',
    group: 'Transactions',
    about: 'Failed transactions in per cent of all transactions of the period.',
    unit: '%',
    intervals: timeIntervals,
  },
  gasUsed: {
    kind: 'sum',
    of: 'gas',
    title: 'Gas used',
    group: 'Gas and fees',
    about: 'Gas used by all transactions in the period.',
    unit: 'gas',
    intervals: timeIntervals,
  },
  blockFill: {
    kind: 'share',
    of: 'gas',
    per: 'gas_limit',
    title: 'Block fill',
    group: 'Gas and fees',
    about: 'Gas used in per cent of the gas limits of the blocks, both summed over the period.',
    unit: '%',
    intervals: timeIntervals,
  },
  avgGps: {
    kind: 'rate',
    of: 'gas',
    title: 'Average gas per second',
    group: 'Gas and fees',
    about: 'Gas of the day divided by the time between the last blocks of the day before and of the day.',
    unit: 'gas/s',
    intervals: ['day'],
  },
  maxGps: {
    kind: 'peak',
    of: 'gas',
    title: 'Peak gas per second',
    group: 'Gas and fees',
    about: 'The highest gas a second: that of one second, over the time since the last second with a block.',
    unit: 'gas/s',
    intervals: ['day'],
  },
  feesPaid: {
    kind: 'sum',
    of: 'fees',
    title: 'Fees paid',
    group: 'Gas and fees',
    about:
      'Gas used times effective gas price, summed over the transactions of the day, without what blobs cost.',
    unit: 'amount',
    intervals: ['day'],
  },
  burnedFees: {
    kind: 'sum',
    of: 'burned',
    title: 'Burned fees',
    group: 'Gas and fees',
    about: 'Base fee times gas used, summed over the blocks of the period: without priority fees.',
    unit: 'amount',
    intervals: timeIntervals,
  },
  priorityFees: {
    kind: 'sum',
    of: 'priority',
    title: 'Priority fees',
    group: 'Gas and fees',
    about:
      'What the effective gas price exceeds the base fee by, times gas used, summed over the transactions of the period.',
    unit: 'amount',
    intervals: timeIntervals,
  },
  avgGasPrice: {
    kind: 'mean',
    of: 'gas_price',
    title: 'Average gas price',
    group: 'Gas and fees',
    about: 'The mean effective gas price of the transactions of the day.',
    unit: 'gas price',
    intervals: ['day'],
  },
  medianGasPrice: {
    kind: 'median',
    of: 'gas_price',
    title: 'Median gas price',
    group: 'Gas and fees',
    about: 'The median effective gas price of the transactions of the period.',
    unit: 'gas price',
    intervals: timeIntervals,
  },
  maxGasPrice: {
    kind: 'maximum',
    of: 'gas_price',
    title: 'Highest gas price',
    group: 'Gas and fees',
    about: 'The highest effective gas price of any transaction of the day.',
    unit: 'gas price',
    intervals: ['day'],
  },
  contracts: {
    kind: 'sum',
    of: 'contracts',
    title: 'New contracts',
    group: 'Contracts',
    about: 'Contracts created in the day, inside calls too, found in traces.',
    unit: 'contracts',
    traced: true,
    intervals: ['day'],
  },
  deployers: {
    kind: 'distinct',
    of: 'deployers',
    title: 'Deployers',
    group: 'Contracts',
    about: 'Distinct addresses that created a contract in the day, found in traces.',
    unit: 'deployers',
    traced: true,
    intervals: ['day'],
  },
  cumulativeContracts: {
    kind: 'total',
    of: 'contracts',
    at: 'start',
    title: 'Contracts so far',
    group: 'Contracts',
    about: 'All contracts created from genesis to the start of the day.',
    unit: 'contracts',
    traced: true,
    intervals: ['day'],
  },
  cumulativeDeployers: {
    kind: 'total',
    of: 'deployers',
    at: 'end',
    title: 'Deployers so far',
    group: 'Contracts',
    about: 'Distinct addresses that ever created a contract, from genesis to the end of the day.',
    unit: 'deployers',
    traced: true,
    intervals: ['day'],
  },
  newTokens: {
    kind: 'first',
    of: 'tokens',
    title: 'New tokens',
    group: 'Contracts',
    about: 'Contracts whose first token transfer is in the period: ERC-20, ERC-721 and ERC-1155.',
    unit: 'tokens',
    intervals: timeIntervals,
  },
  eventLogs: {
    kind: 'sum',
    of: 'logs',
    title: 'Event logs',
    group: 'Contracts',
    about: 'Events that contracts logged in the period; failed transactions log none.',
    unit: 'logs',
    intervals: timeIntervals,
  },
  messagesSent: {
    kind: 'messages',
    of: 'sent',
    title: 'Messages sent',
    group: 'Cross-chain messages',
    about: 'Messages to other chains that the chain’s warp precompile emitted in the period.',
    unit: 'messages',
    intervals: timeIntervals,
  },
  messagesDelivered: {
    kind: 'messages',
    of: 'delivered',
    title: 'Messages delivered',
    group: 'Cross-chain messages',
    about:
      'Messages of other chains that TeleporterMessenger on this chain accepted in the period, each with the signatures of its source.',
    unit: 'messages',
    intervals: timeIntervals,
  },
} as const satisfies Readonly<Record<string, MetricEntry>>

export type MetricName = keyof typeof metricCatalogue
export const metricNames = Object.keys(metricCatalogue) as readonly MetricName[]

/** The entry of a metric. */
export function metricEntry(metric: MetricName): MetricEntry {
  return metricCatalogue[metric]
}

/**
 * Whether values of several periods or chains can be added, on an axis from zero. Not for levels and rates.
 */
export function addsUp({ kind }: MetricEntry): boolean {
  return kind === 'sum' || kind === 'distinct' || kind === 'first' || kind === 'messages'
}

/** The intervals that a metric supports. */
export function intervalsOf(metric: MetricName): readonly TimeInterval[] {
  return metricCatalogue[metric].intervals
}
