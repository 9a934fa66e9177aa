import { metricEntry, type MetricName } from '../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../contract/metrics/intervals.ts'
import type { EdgeColumn, EdgeRow } from '../store/metrics/read-metrics.ts'
import type { UnknownTime } from '../store/evm/read-trace-gaps.ts'

/** An exact value as a fraction. A denominator of 0 means that nothing was measured and is shown as 0. */
export type Fraction = { readonly amount: bigint; readonly per: bigint }

/** The data from which a chain's value in a period is computed. */
type Period = {
  /** The first second of the period. */
  readonly start: number
  /** The last block before the period, and the last one before its end; undefined if there is none. */
  readonly before: EdgeRow | undefined
  readonly end: EdgeRow | undefined
  /** The chain's first block with a nonzero timestamp. */
  readonly first: EdgeRow | undefined
}

/** How a metric is computed from the blocks at the boundaries of a period, and how chains are combined. */
type Definition = {
  readonly columns: readonly EdgeColumn[]
  readonly value: (period: Period) => Fraction
  /** The `sum` of the chains, their `max`, or the ratio of the sums (`mean`). */
  readonly combine: 'sum' | 'max' | 'mean'
}

/** The period itself, or all blocks up to its end or its start. */
type TracedSpan = 'period' | 'until end' | 'until start'

/**
 * Whether a value that is counted from traces is known in the period from `start` to `end` (exclusive), given
 * the times of untraced blocks: contracts created in them are missing from all later sums. The initial 0 of a
 * series, before the chain's first block at `first`, is unknown for a chain that is not traced.
 */
export function isTraced(
  span: TracedSpan,
  start: number,
  end: number,
  unknown: readonly UnknownTime[],
  first: number,
): boolean {
  const before = span === 'until start' && start > first ? start : end
  return !unknown.some(
    ({ first_ts, last_ts }) => Number(first_ts) < before && (span !== 'period' || Number(last_ts) >= start),
  )
}

const whole = (amount: bigint): Fraction => ({ amount, per: 1n })
/** No value was measured. */
export const nothing: Fraction = { amount: 0n, per: 0n }

const at = (row: EdgeRow | undefined, column: EdgeColumn): bigint => BigInt(row?.[column] ?? 0)

/** The increase within the period. */
const added = (column: EdgeColumn, { before, end }: Period): bigint => at(end, column) - at(before, column)

const sumOf = (column: EdgeColumn): Definition => ({
  columns: [column],
  value: (period) => whole(added(column, period)),
  combine: 'sum',
})

/**
 * The day's total divided by the time between the last block of an earlier day and the last block of this day
 * (docs/metrics.md, Rates). On the chain's first day, the time starts at the first block, whose own total is
 * excluded because its duration is unknown.
 */
const rateOf = (column: EdgeColumn): Definition => ({
  columns: [column],
  value({ start, before, end, first }) {
    if (!end || Number(end.ts) < start) return nothing
    const base = before && before.ts > 0n ? before : first
    if (!base) return nothing
    return { amount: at(end, column) - at(base, column), per: end.ts - base.ts }
  },
  combine: 'sum',
})

/** The day's running maximum, from its last block. */
const highest = (amount: EdgeColumn, per?: EdgeColumn): Definition => ({
  columns: per === undefined ? [amount] : [amount, per],
  value({ start, end }) {
    if (!end || Number(end.ts) < start || end[amount] == null) return nothing
    return { amount: at(end, amount), per: per === undefined ? 1n : at(end, per) }
  },
  combine: 'max',
})

const peaks = {
  txs: highest('day_max_tps_txs', 'day_max_tps_seconds'),
  gas: highest('day_max_gps_gas', 'day_max_gps_seconds'),
}

/**
 * How a metric is computed at an interval: its kind applied to its columns (docs/metrics.md). Medians and
 * first appearances are not included, because they are read from rows of transactions and tokens (series.ts).
 */
export function definitionOf(metric: MetricName, interval: TimeInterval): Definition {
  const entry = metricEntry(metric)
  switch (entry.kind) {
    case 'sum':
      return sumOf(`cum_${entry.of}`)
    case 'distinct':
      // Deployers are only counted by day.
      return sumOf(entry.of === 'deployers' ? 'cum_day_deployers' : `cum_${interval}_${entry.of}`)
    case 'total': {
      const column = `cum_${entry.of}` as const
      return {
        columns: [column],
        value: ({ before, end }) => whole(at(entry.at === 'start' ? before : end, column)),
        combine: 'sum',
      }
    }
    case 'rate':
      return rateOf(`cum_${entry.of}`)
    case 'peak':
      return peaks[entry.of]
    case 'maximum':
      return highest(`day_max_${entry.of}`)
    case 'mean': {
      const column = `cum_${entry.of}` as const
      return {
        columns: [column, 'cum_txs'],
        value: (period) => ({ amount: added(column, period), per: added('cum_txs', period) }),
        combine: 'mean',
      }
    }
    case 'share': {
      const [part, all] = [`cum_${entry.of}`, `cum_${entry.per}`] as const
      return {
        columns: [part, all],
        value: (period) => ({ amount: added(part, period) * 100n, per: added(all, period) }),
        combine: 'mean',
      }
    }
    case 'median':
    case 'first':
    case 'messages':
      throw new Error(`${metric} is not read from sums`)
  }
}

/** The span that must be traced for a metric's value to be known; undefined if it needs no traces. */
export function tracedSpan(metric: MetricName): TracedSpan | undefined {
  const entry = metricEntry(metric)
  if (!entry.traced) return undefined
  if (entry.kind !== 'total') return 'period'
  return entry.at === 'start' ? 'until start' : 'until end'
}

/** Combines the values of several chains. */
export function combine(kind: Definition['combine'], values: readonly Fraction[]): Fraction {
  const measured = values.filter((value) => value.per > 0n)
  if (measured.length === 0) return nothing
  return measured.reduce((left, right) => {
    switch (kind) {
      case 'max':
        return right.amount * left.per > left.amount * right.per ? right : left
      case 'mean':
        return { amount: left.amount + right.amount, per: left.per + right.per }
      case 'sum':
        return left.per === right.per
          ? { amount: left.amount + right.amount, per: left.per }
          : { amount: left.amount * right.per + right.amount * left.per, per: left.per * right.per }
    }
  })
}

const exact = BigInt(Number.MAX_SAFE_INTEGER)

/** The number for a fraction: integers exactly, others as the nearest double. */
export function toNumber({ amount, per }: Fraction): number | bigint {
  if (per === 0n) return 0
  const quotient = amount / per
  const rest = amount % per
  if (rest === 0n) return quotient > exact ? quotient : Number(quotient)
  if (amount <= exact && per <= exact) return Number(amount) / Number(per)
  return quotient > exact ? quotient : Number(quotient) + Number(rest) / Number(per)
}
