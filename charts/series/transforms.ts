import { ascending, type SeriesPoint, type SeriesValue } from './series.ts'
import { HOUR, isUnfinished, periodEnd, periodStart, type Interval } from './periods.ts'

function whole(value: SeriesValue): bigint | null {
  if (typeof value === 'bigint') return value
  return Number.isSafeInteger(value) ? BigInt(value) : null
}

/**
 * The growth within each period of a series that counts up to the period's end: the difference to the
 * period before. The first point, and one after a gap, has no growth that could be known.
 */
export function growth(points: readonly SeriesPoint[], interval: Interval): SeriesPoint[] {
  return points.slice(1).map((point, index) => {
    const before = points[index]
    const adjoins = before !== undefined && periodEnd(before.timestamp, interval) === point.timestamp
    if (!adjoins || before.value === null || point.value === null) {
      return { timestamp: point.timestamp, value: null }
    }
    const from = whole(before.value)
    const to = whole(point.value)
    const value = from !== null && to !== null ? to - from : Number(point.value) - Number(before.value)
    return { timestamp: point.timestamp, value }
  })
}

type RatioOptions = {
  /** Multiplies the quotient: 100 for per cent. */
  readonly times?: number
  /** Keeps the quotient whole, in the numerator's own unit (wei a transaction). */
  readonly floor?: boolean
}

/** `above / below` where both have a value; null where the divisor is 0 or either is missing. */
export function ratio(
  above: readonly SeriesPoint[],
  below: readonly SeriesPoint[],
  options: RatioOptions = {},
): SeriesPoint[] {
  const divisors = new Map(below.map((point) => [point.timestamp, point.value]))
  return above.map((point) => {
    const divisor = divisors.get(point.timestamp)
    if (point.value === null || divisor == null || Number(divisor) === 0) {
      return { timestamp: point.timestamp, value: null }
    }
    const top = whole(point.value)
    const bottom = whole(divisor)
    if (options.floor === true && top !== null && bottom !== null) {
      return { timestamp: point.timestamp, value: top / bottom }
    }
    return {
      timestamp: point.timestamp,
      value: (Number(point.value) / Number(divisor)) * (options.times ?? 1),
    }
  })
}

/**
 * The series as a percentage of its mean: curves of any size on one axis. The first value would be a poor base: a chain's
 * launch day may have two transactions.
 */
export function indexed(points: readonly SeriesPoint[]): SeriesPoint[] {
  const base = mean(points)
  if (base === null || base === 0) return points.map((point) => ({ timestamp: point.timestamp, value: null }))
  return points.map((point) => ({
    timestamp: point.timestamp,
    value: point.value === null ? null : (Number(point.value) / base) * 100,
  }))
}

function plus(a: SeriesValue, b: SeriesValue): SeriesValue {
  const left = whole(a)
  const right = whole(b)
  return left !== null && right !== null ? left + right : Number(a) + Number(b)
}

/**
 * Series laid on top of each other, the first one at the bottom. Each answer is the running sum at
 * every timestamp that any series has; a series without a value there adds nothing, and a timestamp at
 * which none has one stays a gap.
 */
export function stacked(list: readonly (readonly SeriesPoint[])[]): SeriesPoint[][] {
  const times = ascending(list.flat()).map((point) => point.timestamp)
  const maps = list.map((points) => new Map(points.map((point) => [point.timestamp, point.value])))
  const known = new Set(times.filter((time) => maps.some((map) => map.get(time) != null)))
  let sums: SeriesPoint[] = times.map((timestamp) => ({ timestamp, value: known.has(timestamp) ? 0 : null }))
  return maps.map((map) => {
    sums = sums.map((point) => {
      const value = map.get(point.timestamp)
      if (point.value === null || value == null) return point
      return { timestamp: point.timestamp, value: plus(point.value, value) }
    })
    return sums
  })
}

/** The sum of all values; whole sums are exact. null when there is no value. */
export function total(points: readonly SeriesPoint[]): SeriesValue | null {
  let sum: SeriesValue | null = null
  for (const point of points) {
    if (point.value === null) continue
    sum = sum === null ? point.value : plus(sum, point.value)
  }
  return sum
}

/** The arithmetic mean of the values that are there. */
export function mean(points: readonly SeriesPoint[]): number | null {
  const values = points.flatMap((point) => (point.value === null ? [] : [Number(point.value)]))
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The point with the highest value; the earliest of equals. */
export function peak(points: readonly SeriesPoint[]): SeriesPoint | null {
  let best: SeriesPoint | null = null
  for (const point of points) {
    if (point.value === null) continue
    if (best === null || best.value === null || point.value > best.value) best = point
  }
  return best
}

/** One hour of the week: the mean of all whole hours seen there, and how many these were. */
export type WeekHour = {
  readonly day: number
  readonly hour: number
  readonly mean: number | null
  readonly count: number
}

/**
 * The 168 hours of a week from hourly points, Monday 0:00 UTC first. The hour that has not ended at
 * `now` is left out: it would make its cell look quiet.
 */
export function hourOfWeek(points: readonly SeriesPoint[], now: number): WeekHour[] {
  const sums = Array.from({ length: 168 }, () => ({ sum: 0, count: 0 }))
  for (const point of points) {
    if (point.value === null || isUnfinished(point.timestamp, 'hour', now)) continue
    const slot = (point.timestamp - periodStart(point.timestamp, 'week')) / HOUR
    const cell = sums[slot]
    if (cell === undefined) continue
    cell.sum += Number(point.value)
    cell.count += 1
  }
  return sums.map(({ sum, count }, slot) => ({
    day: Math.floor(slot / 24),
    hour: slot % 24,
    mean: count === 0 ? null : sum / count,
    count,
  }))
}

/**
 * The mean that gets the strongest tint of a heat map: the highest one that is not an outlier (at most three interquartile
 * ranges above the upper quartile), so that a single busy hour does not make the others look alike. 0 without a mean.
 */
export function strongestTint(cells: readonly WeekHour[]): number {
  const means = cells.flatMap((cell) => cell.mean ?? []).toSorted((a, b) => a - b)
  const quartile = (share: number): number => means[Math.floor((means.length - 1) * share)] ?? 0
  const fence = quartile(0.75) + 3 * (quartile(0.75) - quartile(0.25))
  return means.findLast((value) => value <= fence) ?? 0
}

/**
 * Whether a layer of a stack is drawn at a place: it is, beside any value but 0 too, so that it rises from its lower edge.
 * A line along that edge would paint over the layer below.
 */
export const isRaised = (values: readonly (number | null | undefined)[], index: number): boolean =>
  [values[index - 1], values[index], values[index + 1]].some((value) => value != null && value !== 0)
