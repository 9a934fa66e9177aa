import type { MetricName } from '../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../contract/metrics/intervals.ts'
import { sumColumns, type SumColumn } from '../store/metrics/sums.ts'
import { messageOf } from './messages.ts'
import type { NodeBlock, NodeCreation, NodeTransaction } from './node.ts'
import { transferOf } from './transfers.ts'

/** An exact figure as a fraction; a divisor of 0 means that nothing was measured. */
export type Figure = { readonly amount: bigint; readonly per: bigint }

/** What is counted of a transaction, or may be: tests and real nodes hand over all of it. */
type CountedTransaction = Pick<
  NodeTransaction,
  'from' | 'to' | 'value' | 'input' | 'gasUsed' | 'gasPrice' | 'succeeded' | 'logs'
>

/** The data from which metrics are counted. Without creations, none are counted. */
export type CountedBlock = Pick<NodeBlock, 'ts' | 'gasUsed' | 'gasLimit' | 'baseFee'> & {
  readonly transactions: readonly CountedTransaction[]
  readonly creations?: readonly Pick<NodeCreation, 'deployer'>[] | undefined
}

const intervals = ['hour', 'day', 'week', 'month'] as const
const nobody = '0x0000000000000000000000000000000000000000'

/** The additive amounts of a block, named like the columns of their running sums. */
function amountsOf({ gasUsed, gasLimit, baseFee, transactions, creations }: CountedBlock) {
  return {
    txs: BigInt(transactions.length),
    gas: gasUsed,
    fees: sum(transactions.map((transaction) => transaction.gasUsed * transaction.gasPrice)),
    burned: sum(transactions.map((transaction) => transaction.gasUsed * baseFee)),
    priority: sum(
      transactions
        .filter(({ gasPrice }) => gasPrice > baseFee)
        .map((transaction) => transaction.gasUsed * (transaction.gasPrice - baseFee)),
    ),
    gas_limit: gasLimit,
    failed: BigInt(transactions.filter(({ succeeded }) => !succeeded).length),
    gas_price: sum(transactions.map(({ gasPrice }) => gasPrice)),
    contracts: BigInt(creations?.length ?? 0),
    transfers: sum(
      transactions.flatMap(({ logs }) => logs.map((log) => BigInt(transferOf(log)?.items.length ?? 0))),
    ),
    logs: sum(transactions.map(({ logs }) => BigInt(logs.length))),
  }
}
type Amounts = ReturnType<typeof amountsOf>
const noAmounts: Readonly<Amounts> = amountsOf({
  ts: 0,
  gasUsed: 0n,
  gasLimit: 0n,
  baseFee: 0n,
  transactions: [],
})
const amountNames = Object.keys(noAmounts) as (keyof Amounts)[]

/** The blocks with the same timestamp, which count as one for rates. */
type Second = { readonly ts: number; txs: bigint; gas: bigint }

/** The data of a period. */
type Bucket = {
  readonly amounts: Amounts
  readonly parties: Set<string>
  readonly senders: Set<string>
  readonly deployers: Set<string>
  /** Effective gas prices of its transactions. */
  readonly prices: bigint[]
  /** Contracts with their first token transfer in it. */
  readonly newTokens: Set<string>
  /** Cross-chain messages that the chain sent, and that were delivered to it. */
  readonly messages: { sent: number; delivered: number }
  readonly seconds: Second[]
  /** The totals since the first block, at the end of the period. */
  reached: { txs: bigint; contracts: bigint; addresses: number; deployers: number }
}

/** A period, with the data before it. */
type Counted = Bucket & {
  readonly before: Bucket['reached']
  /** The last timestamp with a block before the period. */
  readonly previous: Second | undefined
  /** The first nonzero timestamp of the chain. */
  readonly first: Second
}

const emptyBucket = (reached: Bucket['reached']): Bucket => ({
  amounts: { ...noAmounts },
  parties: new Set(),
  senders: new Set(),
  deployers: new Set(),
  prices: [],
  newTokens: new Set(),
  messages: { sent: 0, delivered: 0 },
  seconds: [],
  reached,
})

const nothingReached = { txs: 0n, contracts: 0n, addresses: 0, deployers: 0 }

/** A period without blocks; only read, because a chain that rests has thousands of them. */
const noBlocks: Readonly<Bucket> = emptyBucket(nothingReached)

/** A straightforward computation of each metric of a period. */
const figures: Record<MetricName, (counted: Counted) => Figure> = {
  activeAddresses: ({ parties }) => whole(parties.size),
  activeSenders: ({ senders }) => whole(senders.size),
  cumulativeAddresses: ({ reached }) => whole(reached.addresses),
  tokenTransfers: ({ amounts }) => whole(amounts.transfers),
  eventLogs: ({ amounts }) => whole(amounts.logs),
  txCount: ({ amounts }) => whole(amounts.txs),
  avgTps: (counted) => meanRate(counted, 'txs'),
  maxTps: (counted) => peakRate(counted, 'txs'),
  cumulativeTxCount: ({ reached }) => whole(reached.txs),
  failedTxCount: ({ amounts }) => whole(amounts.failed),
  failedTxShare: ({ amounts }) => ({ amount: amounts.failed * 100n, per: amounts.txs }),
  gasUsed: ({ amounts }) => whole(amounts.gas),
  blockFill: ({ amounts }) => ({ amount: amounts.gas * 100n, per: amounts.gas_limit }),
  avgGps: (counted) => meanRate(counted, 'gas'),
  maxGps: (counted) => peakRate(counted, 'gas'),
  feesPaid: ({ amounts }) => whole(amounts.fees),
  burnedFees: ({ amounts }) => whole(amounts.burned),
  priorityFees: ({ amounts }) => whole(amounts.priority),
  avgGasPrice: ({ prices }) => ({ amount: sum(prices), per: BigInt(prices.length) }),
  medianGasPrice: ({ prices }) => {
    const middle = [Math.floor((prices.length - 1) / 2), Math.floor(prices.length / 2)]
    const [low, high] = middle.map((rank) => atRank(prices, rank).amount)
    return low === undefined || high === undefined || prices.length === 0
      ? { amount: 0n, per: 0n }
      : whole((low + high) / 2n)
  },
  maxGasPrice: ({ prices }) => atRank(prices, prices.length - 1),
  contracts: ({ amounts }) => whole(amounts.contracts),
  deployers: ({ deployers }) => whole(deployers.size),
  cumulativeContracts: ({ before }) => whole(before.contracts),
  cumulativeDeployers: ({ reached }) => whole(reached.deployers),
  newTokens: ({ newTokens }) => whole(newTokens.size),
  messagesSent: ({ messages }) => whole(messages.sent),
  messagesDelivered: ({ messages }) => whole(messages.delivered),
}

/**
 * Counts every metric in the most direct way: complete sets of addresses, complete lists of prices and
 * seconds. Nothing is incremental except the order of the blocks, and nothing is shared with the indexer.
 */
export class Recount {
  readonly #buckets: Record<TimeInterval, Map<number, Bucket>> = {
    hour: new Map(),
    day: new Map(),
    week: new Map(),
    month: new Map(),
  }
  readonly #everyone = new Set<string>()
  readonly #everyDeployer = new Set<string>()
  readonly #everyToken = new Set<string>()
  #first: Second | undefined
  #last: Second | undefined
  /** The last timestamp with a block before that of the last block. */
  #previous: Second | undefined
  /** The newest hour of each address in each role, to compare with `seen`. */
  readonly lastHours = {
    parties: new Map<string, number>(),
    senders: new Map<string, number>(),
    deployers: new Map<string, number>(),
  }
  /** Running totals over all blocks so far, named like the columns of a block row. */
  readonly totals = Object.fromEntries(sumColumns.map((column) => [column, 0n])) as Record<SumColumn, bigint>

  /** Adds the next block. */
  add(block: CountedBlock): void {
    const { totals } = this
    const { parties, senders, tokens } = partiesOf(block.transactions)
    const newTokens = [...tokens].filter((token) => !this.#everyToken.has(token))
    addAll(this.#everyToken, newTokens)
    const deployers = new Set((block.creations ?? []).map(({ deployer }) => deployer))
    deployers.delete(nobody)
    const amounts = amountsOf(block)
    const messages = block.transactions.flatMap(({ logs }) => logs.flatMap((log) => messageOf(log) ?? []))
    for (const name of amountNames) totals[`cum_${name}`] += amounts[name]
    totals.cum_addresses += addAll(this.#everyone, parties)
    totals.cum_deployers += addAll(this.#everyDeployer, deployers)
    const second = this.#second(block.ts, amounts)
    for (const interval of intervals) {
      const bucket = this.#bucket(interval, startOf(interval, block.ts))
      for (const name of amountNames) bucket.amounts[name] += amounts[name]
      totals[`cum_${interval}_addresses`] += addAll(bucket.parties, parties)
      totals[`cum_${interval}_senders`] += addAll(bucket.senders, senders)
      const newDeployers = addAll(bucket.deployers, deployers)
      if (interval === 'day') totals.cum_day_deployers += newDeployers
      for (const { gasPrice } of block.transactions) bucket.prices.push(gasPrice)
      addAll(bucket.newTokens, newTokens)
      for (const { direction } of messages) bucket.messages[direction] += 1
      if (second && bucket.seconds.at(-1) !== second) bucket.seconds.push(second)
      bucket.reached = {
        txs: totals.cum_txs,
        contracts: totals.cum_contracts,
        addresses: this.#everyone.size,
        deployers: this.#everyDeployer.size,
      }
    }
    const hour = startOf('hour', block.ts)
    for (const address of parties) this.lastHours.parties.set(address, hour)
    for (const address of senders) this.lastHours.senders.set(address, hour)
    for (const address of deployers) this.lastHours.deployers.set(address, hour)
  }

  /** The timestamp of the next block with its amounts; undefined for a zero timestamp. */
  #second(ts: number, { txs, gas }: Amounts): Second | undefined {
    if (ts === 0) return undefined
    this.#first ??= { ts, txs, gas }
    if (this.#last?.ts === ts) {
      this.#last.txs += txs
      this.#last.gas += gas
    } else {
      this.#previous = this.#last
      this.#last = { ts, txs, gas }
    }
    return this.#last
  }

  /** The totals of the last block's timestamp so far, and the previous timestamp. */
  lastSecond(): { previous: number | undefined; txs: bigint; gas: bigint } | undefined {
    return this.#last && { previous: this.#previous?.ts, txs: this.#last.txs, gas: this.#last.gas }
  }

  /**
   * The starts of all periods from the first block's (with a nonzero timestamp) to that of `last`, the head's
   * time.
   */
  periods(interval: TimeInterval, last = this.#last?.ts ?? 0): number[] {
    if (!this.#first) return []
    const starts: number[] = []
    let start = startOf(interval, this.#first.ts)
    for (; start <= last; start = after(interval, start)) starts.push(start)
    return starts
  }

  /** A metric for all its periods, in time order. */
  series(metric: MetricName, interval: TimeInterval, last?: number): { start: number; figure: Figure }[] {
    const first = this.#first
    if (!first) return []
    const buckets = this.#buckets[interval]
    const [earliest = 0, ...later] = this.periods(interval, last)
    // A genesis block with timestamp 0 is before the first period, unless that period begins at the epoch.
    const genesis = earliest > startOf(interval, 0) ? buckets.get(startOf(interval, 0)) : undefined
    let before = genesis?.reached ?? nothingReached
    let previous: Second | undefined
    return [earliest, ...later].map((start) => {
      const bucket = buckets.get(start) ?? { ...noBlocks, reached: before }
      const figure = figures[metric]({ ...bucket, before, previous, first })
      before = bucket.reached
      previous = bucket.seconds.at(-1) ?? previous
      return { start, figure }
    })
  }

  /** The distinct addresses of the hours from `from` to before `before`. */
  distinct(role: 'parties' | 'senders', from: number, before: number): number {
    const all = new Set<string>()
    for (const [start, bucket] of this.#buckets.hour)
      if (start >= from && start < before) addAll(all, bucket[role])
    return all.size
  }

  #bucket(interval: TimeInterval, start: number): Bucket {
    const found = this.#buckets[interval].get(start)
    if (found) return found
    const made = emptyBucket(nothingReached)
    this.#buckets[interval].set(start, made)
    return made
  }
}

const whole = (amount: bigint | number): Figure => ({ amount: BigInt(amount), per: 1n })
function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

/** The value at a rank of the sorted list; nothing if the list is empty. */
function atRank(values: readonly bigint[], rank: number): Figure {
  const value = values.toSorted((left, right) => (left < right ? -1 : left > right ? 1 : 0))[rank]
  return value === undefined ? { amount: 0n, per: 0n } : whole(value)
}

/**
 * The period's total divided by the time since the last timestamp before it; in the first period, since the
 * first block.
 */
function meanRate({ amounts, seconds, previous, first }: Counted, of: 'txs' | 'gas'): Figure {
  const last = seconds.at(-1)
  if (!last) return { amount: 0n, per: 0n }
  if (previous) return { amount: amounts[of], per: BigInt(last.ts - previous.ts) }
  return { amount: sum(seconds.map((second) => second[of])) - first[of], per: BigInt(last.ts - first.ts) }
}

/** The largest amount of one timestamp divided by the time since the previous timestamp. */
function peakRate({ seconds, previous }: Counted, of: 'txs' | 'gas'): Figure {
  let best: Figure = { amount: 0n, per: 0n }
  let before = previous
  for (const second of seconds) {
    const rate = before && { amount: second[of], per: BigInt(second.ts - before.ts) }
    if (rate && (best.per === 0n || rate.amount * best.per > best.amount * rate.per)) best = rate
    before = second
  }
  return best
}

/** Adds all items to a set and returns the number of new ones. */
function addAll(set: Set<string>, items: Iterable<string>): bigint {
  const before = set.size
  for (const item of items) set.add(item)
  return BigInt(set.size - before)
}

function partiesOf(transactions: readonly CountedTransaction[]): {
  parties: Set<string>
  senders: Set<string>
  tokens: Set<string>
} {
  const tokens = new Set<string>()
  const parties = new Set<string>()
  const senders = new Set<string>()
  for (const transaction of transactions) {
    senders.add(transaction.from)
    if (transaction.to !== null) parties.add(transaction.to)
    for (const log of transaction.logs) {
      const transfer = transferOf(log)
      if (!transfer) continue
      senders.add(transfer.from)
      parties.add(transfer.to)
      if (transfer.items.length > 0) tokens.add(log.address)
    }
  }
  senders.delete(nobody)
  for (const sender of senders) parties.add(sender)
  parties.delete(nobody)
  return { parties, senders, tokens }
}

/** The start of a period, computed with the calendar. */
export function startOf(interval: TimeInterval, ts: number): number {
  const date = new Date(ts * 1000)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (interval) {
    case 'hour':
      return Date.UTC(year, month, day, date.getUTCHours()) / 1000
    case 'day':
      return Date.UTC(year, month, day) / 1000
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)) / 1000
    case 'month':
      return Date.UTC(year, month, 1) / 1000
  }
}

function after(interval: TimeInterval, start: number): number {
  const days = { hour: 0, day: 1, week: 7, month: 31 }[interval]
  return interval === 'hour' ? start + 3_600 : startOf(interval, start + days * 86_400 + 43_200)
}
