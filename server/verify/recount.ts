import type { MetricName, TimeInterval } from '../../contract/metrics/catalogue.ts'
import type { SumColumn } from '../store/metrics/sums.ts'
import type { NodeBlock, NodeTransaction } from './node.ts'
import { transferOf } from './transfers.ts'

/** An exact figure as a fraction; a divisor of 0 says that nothing was measured. */
export type Figure = { amount: bigint; per: bigint }

const intervals = ['hour', 'day', 'week', 'month'] as const
const nobody = '0x0000000000000000000000000000000000000000'

type Buckets = Map<number, { parties: Set<string>; senders: Set<string>; txs: bigint; gas: bigint }>
type Second = { ts: number; txs: bigint; gas: bigint }
type Day = {
  fees: bigint
  prices: bigint[]
  contracts: bigint
  deployers: Set<string>
  /** Running totals at the end of the day. */
  txs: bigint
  addresses: bigint
  contractsBefore: bigint
  allDeployers: bigint
}

/**
 * Counts every metric the plain way: whole sets of addresses, whole lists of prices and seconds. Nothing
 * is incremental but the order of the blocks, and nothing is shared with the indexer.
 */
export class Recount {
  readonly #buckets: Record<TimeInterval, Buckets> = {
    hour: new Map(),
    day: new Map(),
    week: new Map(),
    month: new Map(),
  }
  readonly #days = new Map<number, Day>()
  readonly #seconds: Second[] = []
  readonly #everyone = new Set<string>()
  readonly #everyDeployer = new Set<string>()
  /** The newest hour of each address in each role, to hold against `seen`. */
  readonly lastHours = {
    parties: new Map<string, number>(),
    senders: new Map<string, number>(),
    deployers: new Map<string, number>(),
  }
  /** Running totals over all blocks so far, named like the columns of a block row. */
  readonly totals: Record<SumColumn, bigint> = {
    cum_txs: 0n,
    cum_gas: 0n,
    cum_fees: 0n,
    cum_gas_price: 0n,
    cum_addresses: 0n,
    cum_contracts: 0n,
    cum_deployers: 0n,
    cum_hour_addresses: 0n,
    cum_day_addresses: 0n,
    cum_week_addresses: 0n,
    cum_month_addresses: 0n,
    cum_hour_senders: 0n,
    cum_day_senders: 0n,
    cum_week_senders: 0n,
    cum_month_senders: 0n,
    cum_day_deployers: 0n,
  }
  #firstTs: number | undefined
  #firstTotals = { txs: 0n, gas: 0n }

  /** Adds the next block. */
  add(block: NodeBlock): void {
    const { totals } = this
    const { parties, senders } = partiesOf(block.transactions)
    const txs = BigInt(block.transactions.length)
    for (const interval of intervals) {
      const bucket = this.#bucket(interval, startOf(interval, block.ts))
      totals[`cum_${interval}_addresses`] += addAll(bucket.parties, parties)
      totals[`cum_${interval}_senders`] += addAll(bucket.senders, senders)
      bucket.txs += txs
      bucket.gas += block.gasUsed
    }
    const hour = startOf('hour', block.ts)
    for (const address of parties) this.lastHours.parties.set(address, hour)
    for (const address of senders) this.lastHours.senders.set(address, hour)
    totals.cum_addresses += addAll(this.#everyone, parties)
    totals.cum_txs += txs
    totals.cum_gas += block.gasUsed
    const day = this.#day(startOf('day', block.ts))
    for (const { gasUsed, gasPrice } of block.transactions) {
      totals.cum_fees += gasUsed * gasPrice
      totals.cum_gas_price += gasPrice
      day.fees += gasUsed * gasPrice
      day.prices.push(gasPrice)
    }
    const deployers = new Set((block.creations ?? []).map(({ deployer }) => deployer))
    deployers.delete(nobody)
    for (const deployer of deployers) this.lastHours.deployers.set(deployer, hour)
    totals.cum_contracts += BigInt(block.creations?.length ?? 0)
    totals.cum_deployers += addAll(this.#everyDeployer, deployers)
    totals.cum_day_deployers += addAll(day.deployers, deployers)
    day.contracts += BigInt(block.creations?.length ?? 0)
    day.txs = totals.cum_txs
    day.addresses = BigInt(this.#everyone.size)
    day.allDeployers = BigInt(this.#everyDeployer.size)
    this.#addSecond(block, txs)
  }

  #addSecond(block: NodeBlock, txs: bigint): void {
    if (block.ts === 0) return
    const last = this.#seconds.at(-1)
    if (last?.ts === block.ts) {
      last.txs += txs
      last.gas += block.gasUsed
    } else this.#seconds.push({ ts: block.ts, txs, gas: block.gasUsed })
    if (this.#firstTs === undefined) {
      this.#firstTs = block.ts
      this.#firstTotals = { txs, gas: block.gasUsed }
    }
  }

  /** What the last block's second holds so far, and the last second before it. */
  lastSecond(): { previous: number | undefined; txs: bigint; gas: bigint } | undefined {
    const last = this.#seconds.at(-1)
    return last && { previous: this.#seconds.at(-2)?.ts, txs: last.txs, gas: last.gas }
  }

  /** The starts of all periods from the first block's (with a time of its own) to the last one's. */
  periods(interval: TimeInterval): number[] {
    const last = this.#seconds.at(-1)
    if (this.#firstTs === undefined || !last) return []
    const starts: number[] = []
    for (let start = startOf(interval, this.#firstTs); start <= last.ts; start = after(interval, start))
      starts.push(start)
    return starts
  }

  /** A metric over all its periods, in order of time. */
  series(metric: MetricName, interval: TimeInterval): { start: number; figure: Figure }[] {
    const whole = (amount: bigint): Figure => ({ amount, per: 1n })
    return this.periods(interval).map((start) => {
      const bucket = this.#buckets[interval].get(start)
      const figure = (): Figure => {
        switch (metric) {
          case 'activeAddresses':
            return whole(BigInt(bucket?.parties.size ?? 0))
          case 'activeSenders':
            return whole(BigInt(bucket?.senders.size ?? 0))
          case 'txCount':
            return whole(bucket?.txs ?? 0n)
          case 'gasUsed':
            return whole(bucket?.gas ?? 0n)
          default:
            return this.#daily(metric, start)
        }
      }
      return { start, figure: figure() }
    })
  }

  #daily(metric: MetricName, start: number): Figure {
    const own = this.#days.get(start)
    const latest = own ?? this.#dayBefore(start)
    switch (metric) {
      case 'cumulativeTxCount':
        return { amount: latest?.txs ?? 0n, per: 1n }
      case 'cumulativeAddresses':
        return { amount: latest?.addresses ?? 0n, per: 1n }
      case 'cumulativeDeployers':
        return { amount: latest?.allDeployers ?? 0n, per: 1n }
      case 'cumulativeContracts': {
        const before = this.#dayBefore(start)
        return { amount: before ? before.contractsBefore + before.contracts : 0n, per: 1n }
      }
      case 'contracts':
        return { amount: own?.contracts ?? 0n, per: 1n }
      case 'deployers':
        return { amount: BigInt(own?.deployers.size ?? 0), per: 1n }
      case 'feesPaid':
        return { amount: own?.fees ?? 0n, per: 1n }
      case 'avgGasPrice':
        return { amount: sum(own?.prices ?? []), per: BigInt(own?.prices.length ?? 0) }
      case 'maxGasPrice':
        return {
          amount: (own?.prices ?? []).reduce((top, price) => (price > top ? price : top), 0n),
          per: own?.prices.length ? 1n : 0n,
        }
      case 'avgTps':
        return this.#mean(start, 'txs')
      case 'avgGps':
        return this.#mean(start, 'gas')
      case 'maxTps':
        return this.#peak(start, 'txs')
      case 'maxGps':
        return this.#peak(start, 'gas')
      default:
        throw new Error(`${metric} is not counted by day`)
    }
  }

  /** The last day with a block before a time. */
  #dayBefore(start: number): Day | undefined {
    let found: Day | undefined
    for (const [day, totals] of this.#days) if (day < start) found = totals
    return found
  }

  #within(start: number): Second[] {
    return this.#seconds.slice(this.#firstFrom(start), this.#firstFrom(start + 86_400))
  }

  /** The position of the first second at or after a time. */
  #firstFrom(ts: number): number {
    let low = 0
    let high = this.#seconds.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#seconds[middle]?.ts ?? ts) < ts) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The day's total over the time since the last block of an earlier day; on the first day since the first block. */
  #mean(start: number, what: 'txs' | 'gas'): Figure {
    const own = this.#within(start)
    const last = own.at(-1)
    if (!last) return { amount: 0n, per: 0n }
    const total = sum(own.map((second) => second[what]))
    const before = this.#seconds[this.#firstFrom(start) - 1]
    if (before) return { amount: total, per: BigInt(last.ts - before.ts) }
    return { amount: total - this.#firstTotals[what], per: BigInt(last.ts - (this.#firstTs ?? last.ts)) }
  }

  #peak(start: number, what: 'txs' | 'gas'): Figure {
    let best: Figure = { amount: 0n, per: 0n }
    for (let index = Math.max(1, this.#firstFrom(start)); index < this.#seconds.length; index += 1) {
      const own = this.#seconds[index]
      const previous = this.#seconds[index - 1]
      if (!own || !previous || own.ts >= start + 86_400) break
      const rate = { amount: own[what], per: BigInt(own.ts - previous.ts) }
      if (best.per === 0n || rate.amount * best.per > best.amount * rate.per) best = rate
    }
    return best
  }

  #bucket(interval: TimeInterval, start: number) {
    const found = this.#buckets[interval].get(start)
    if (found) return found
    const made = { parties: new Set<string>(), senders: new Set<string>(), txs: 0n, gas: 0n }
    this.#buckets[interval].set(start, made)
    return made
  }

  #day(start: number): Day {
    const found = this.#days.get(start)
    if (found) return found
    const made: Day = {
      fees: 0n,
      prices: [],
      contracts: 0n,
      deployers: new Set(),
      txs: 0n,
      addresses: 0n,
      contractsBefore: this.totals.cum_contracts,
      allDeployers: 0n,
    }
    this.#days.set(start, made)
    return made
  }
}

/** Adds all items to a set; how many of them were new. */
function addAll(set: Set<string>, items: Iterable<string>): bigint {
  const before = set.size
  for (const item of items) set.add(item)
  return BigInt(set.size - before)
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

function partiesOf(transactions: readonly NodeTransaction[]): { parties: Set<string>; senders: Set<string> } {
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
    }
  }
  senders.delete(nobody)
  for (const sender of senders) parties.add(sender)
  parties.delete(nobody)
  return { parties, senders }
}

/** The start of a period, by the calendar. */
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
