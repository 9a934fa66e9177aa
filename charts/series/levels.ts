import { periodEnd, periodStart, type Interval } from './periods.ts'
import type { SeriesPoint } from './series.ts'

/** From (inclusive) to (exclusive), Unix seconds; null starts at the first change. */
type Span = { from: number | null; to: number }

/** The starts of the periods within `from` (inclusive) and `to` (exclusive). */
function* periods(from: number, to: number, interval: Interval): Generator<number> {
  for (let start = periodStart(from, interval); start < to; start = periodEnd(start, interval)) yield start
}

/** The level after the last change before the end of each period; no point before the first change. */
function levels<Change extends { timestamp: number }>(
  changes: readonly Change[],
  { from, to }: Span,
  interval: Interval,
): { timestamp: number; level: Change }[] {
  const first = changes[0]
  if (first === undefined) return []
  const found: { timestamp: number; level: Change }[] = []
  let next = 0
  let level = first
  for (const timestamp of periods(Math.max(from ?? first.timestamp, first.timestamp), to, interval)) {
    const end = periodEnd(timestamp, interval)
    for (let change = changes[next]; change !== undefined && change.timestamp < end; change = changes[next]) {
      level = change
      next += 1
    }
    found.push({ timestamp, level })
  }
  return found
}

/** A node's stake after a change, in nAVAX. */
export type StakePoint = {
  readonly timestamp: number
  readonly amountStaked: string
  readonly amountDelegated: string
  readonly delegatorCount: number
}

/** What a node answered when it was asked for a validator's uptime, in percent. */
export type UptimeSample = { readonly timestamp: number; readonly uptimePerformance: number }

type StakeSeries = { own: SeriesPoint[]; delegated: SeriesPoint[]; delegators: SeriesPoint[] }

/**
 * A node's stake at the end of each period. `changes` ascend. Before the first change, between terms and after the
 * last one there is no stake, and so no point.
 */
export function stakeSeries(changes: readonly StakePoint[], span: Span, interval: Interval): StakeSeries {
  const found = levels(changes, span, interval).filter(({ level }) => level.amountStaked !== '0')
  const series = (value: (change: StakePoint) => SeriesPoint['value']): SeriesPoint[] =>
    found.map(({ timestamp, level }) => ({ timestamp, value: value(level) }))
  return {
    own: series(({ amountStaked }) => BigInt(amountStaked)),
    delegated: series(({ amountDelegated }) => BigInt(amountDelegated)),
    delegators: series(({ delegatorCount }) => delegatorCount),
  }
}

/**
 * Samples (latest first) as one point per period, its last sample. A period without a sample has no point: it does
 * not mean that the node was offline.
 */
export function uptimeSeries(samples: readonly UptimeSample[], interval: Interval): SeriesPoint[] {
  const points = new Map<number, number>()
  for (const { timestamp, uptimePerformance } of samples) {
    const start = periodStart(timestamp, interval)
    if (!points.has(start)) points.set(start, uptimePerformance)
  }
  return [...points]
    .map(([timestamp, value]) => ({ timestamp, value }))
    .sort((a, b) => a.timestamp - b.timestamp)
}

/** A balance after a change, and the amount of the change, in nAVAX; `changes` ascend. */
type BalanceChange = { timestamp: number; remaining: bigint; change: bigint }

/** An L1 validator's weight at the end of each period. `changes` ascend. */
export const weightSeries = (
  changes: readonly { timestamp: number; weight: bigint }[],
  span: Span,
  interval: Interval,
): SeriesPoint[] =>
  levels(changes, span, interval).map(({ timestamp, level }) => ({ timestamp, value: level.weight }))

/**
 * An L1 validator's balance at the end of each period. It is exact at each change; in between, where the fee reduces
 * it, it is interpolated linearly. `now` ends the last line.
 */
export function balanceSeries(
  changes: readonly BalanceChange[],
  now: { timestamp: number; remaining: bigint },
  { from, to }: Span,
  interval: Interval,
): SeriesPoint[] {
  const first = changes[0]
  if (first === undefined) return []
  const points: SeriesPoint[] = []
  const until = Math.min(to, now.timestamp + 1)
  let next = 0
  let last = first
  for (const timestamp of periods(Math.max(from ?? first.timestamp, first.timestamp), until, interval)) {
    const at = Math.min(periodEnd(timestamp, interval) - 1, now.timestamp)
    for (let change = changes[next]; change !== undefined && change.timestamp <= at; change = changes[next]) {
      last = change
      next += 1
    }
    const after = changes[next]
    const ahead = after
      ? { timestamp: after.timestamp, remaining: after.remaining - after.change }
      : { timestamp: now.timestamp, remaining: now.remaining }
    const span = BigInt(Math.max(1, ahead.timestamp - last.timestamp))
    const passed = BigInt(Math.max(0, at - last.timestamp))
    const value = last.remaining + ((ahead.remaining - last.remaining) * passed) / span
    points.push({ timestamp, value: value < 0n ? 0n : value })
  }
  return points
}
