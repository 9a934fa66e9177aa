import { lttb, type XY } from './lttb.ts'
import { isUnfinished, periodEnd, periodMiddle, type Interval } from './periods.ts'

/** A value as the service sends it: whole values past 2^53 arrive as bigint and stay exact. */
export type SeriesValue = number | bigint

/** A value over the period that starts at `timestamp` (Unix seconds). null: known to be missing. */
export type SeriesPoint = { readonly timestamp: number; readonly value: SeriesValue | null }

/** What a chart draws of a series: whole lines between gaps, and the dashed end of an open period. */
type Drawing = {
  readonly segments: readonly (readonly XY[])[]
  /** From the last whole period to the unfinished one; empty when the last period has ended. */
  readonly tail: readonly XY[]
}

/** A number for drawing only, in the unit `decimals` places above the value's own (9: wei to gwei). */
export function toDrawn(value: SeriesValue, decimals = 0): number {
  return decimals === 0 ? Number(value) : Number(value) / 10 ** decimals
}

/**
 * Oldest first, one point a timestamp. Pages come newest first and may overlap when the head moved
 * between two of them; the first one read is the fresher.
 */
export function ascending(points: Iterable<SeriesPoint>): SeriesPoint[] {
  const byTime = new Map<number, SeriesPoint>()
  for (const point of points) if (!byTime.has(point.timestamp)) byTime.set(point.timestamp, point)
  return [...byTime.values()].sort((a, b) => a.timestamp - b.timestamp)
}

/** The points whose period lies in `from` (inclusive) to `to` (exclusive); `points` ascend. */
export function within(points: readonly SeriesPoint[], from: number, to: number): SeriesPoint[] {
  return points.filter((point) => point.timestamp >= from && point.timestamp < to)
}

/** Runs of points without a missing period: a gap in the data is a gap, not a line across it. */
export function splitAtGaps(points: readonly SeriesPoint[], interval: Interval): SeriesPoint[][] {
  const runs: SeriesPoint[][] = []
  let run: SeriesPoint[] = []
  let expected: number | null = null
  for (const point of points) {
    if (run.length > 0 && (point.value === null || point.timestamp !== expected)) {
      runs.push(run)
      run = []
    }
    if (point.value !== null) run.push(point)
    expected = periodEnd(point.timestamp, interval)
  }
  if (run.length > 0) runs.push(run)
  return runs
}

function place(point: SeriesPoint, interval: Interval, decimals: number): XY {
  return { x: periodMiddle(point.timestamp, interval), y: toDrawn(point.value ?? 0, decimals) }
}

type DrawingOptions = {
  readonly interval: Interval
  /** Unix seconds: what has not ended by then is drawn dashed. */
  readonly now: number
  /** The most points to draw; half the pixels is plenty (docs/performance.md). */
  readonly max: number
  readonly decimals?: number
}

/** The drawing of a series: `points` ascend; `x` is the middle of each period in Unix seconds. */
export function drawing(points: readonly SeriesPoint[], options: DrawingOptions): Drawing {
  const { interval, now, max, decimals = 0 } = options
  const runs = splitAtGaps(points, interval)
  const lastRun = runs.at(-1)
  const last = lastRun?.at(-1)
  let tail: XY[] = []
  if (lastRun !== undefined && last !== undefined && isUnfinished(last.timestamp, interval, now)) {
    lastRun.pop()
    const before = lastRun.at(-1)
    tail = (before === undefined ? [last] : [before, last]).map((point) => place(point, interval, decimals))
    if (lastRun.length === 0) runs.pop()
  }
  const total = runs.reduce((sum, run) => sum + run.length, 0)
  const segments = runs.map((run) => {
    const all = run.map((point) => place(point, interval, decimals))
    return lttb(all, Math.ceil((max * run.length) / Math.max(1, total)))
  })
  return { segments, tail }
}

/** The lowest and highest drawn value, or null when there is none. */
export function extent(points: readonly SeriesPoint[], decimals = 0): { min: number; max: number } | null {
  let min = Infinity
  let max = -Infinity
  for (const point of points) {
    if (point.value === null) continue
    const value = toDrawn(point.value, decimals)
    if (value < min) min = value
    if (value > max) max = value
  }
  return min === Infinity ? null : { min, max }
}

/** The index of the point whose period holds `time`, or -1 in a gap or outside; `points` ascend. */
export function indexAt(points: readonly SeriesPoint[], time: number, interval: Interval): number {
  let low = 0
  let high = points.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const point = points[middle]
    if (point === undefined) return -1
    if (point.timestamp > time) high = middle - 1
    else low = middle + 1
  }
  const found = points[high]
  if (found === undefined || time >= periodEnd(found.timestamp, interval)) return -1
  return high
}

/** A change from one value to the next: exact where both are whole. */
export type Change = {
  readonly absolute: SeriesValue
  /** The change as a share of the earlier value (0.1 is 10 % more); null when that was 0. */
  readonly relative: number | null
}

function exactWhole(value: SeriesValue): bigint | null {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) ? BigInt(value) : null
}

/** The change from `before` to `after`; null when one of them is missing. */
export function change(
  before: SeriesValue | null | undefined,
  after: SeriesValue | null | undefined,
): Change | null {
  if (before == null || after == null) return null
  const from = exactWhole(before)
  const to = exactWhole(after)
  const absolute = from !== null && to !== null ? to - from : Number(after) - Number(before)
  const base = Number(before)
  return { absolute, relative: base === 0 ? null : Number(absolute) / Math.abs(base) }
}

/** The change of the point at `index` to the period just before it; null across a gap. */
export function changeAt(points: readonly SeriesPoint[], index: number, interval: Interval): Change | null {
  const point = points[index]
  const before = points[index - 1]
  if (point === undefined || before === undefined) return null
  if (periodEnd(before.timestamp, interval) !== point.timestamp) return null
  return change(before.value, point.value)
}
