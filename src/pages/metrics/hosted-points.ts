import { isUnfinished, type Interval } from '../../../charts/series/periods.ts'
import type { SeriesPoint, SeriesValue } from '../../../charts/series/series.ts'

/** A point whose value is another one elsewhere, or that is missing there. */
type Difference = {
  readonly timestamp: number
  readonly ours: SeriesValue
  readonly theirs: SeriesValue | undefined
}

type Compared = { readonly count: number; readonly differences: readonly Difference[] }

/** Services round values that are not whole differently. */
const tolerance = 1e-6

/** Whether a value has all its digits. A larger number was rounded to a double, as by a service that writes 1.5e+21. */
const isExact = (value: SeriesValue): boolean => typeof value === 'bigint' || Number.isSafeInteger(value)

function isSame(one: SeriesValue, other: SeriesValue): boolean {
  if (isExact(one) && isExact(other)) return BigInt(one) === BigInt(other)
  const [left, right] = [Number(one), Number(other)]
  return Math.abs(left - right) <= tolerance * Math.max(Math.abs(left), Math.abs(right))
}

/**
 * Compares the points that we know with those of another service: whole values exactly, others and rounded ones up to a millionth. A
 * period that is not over is left out, because the services have not read equally far.
 */
export function comparePoints(
  points: readonly SeriesPoint[],
  theirs: readonly SeriesPoint[],
  interval: Interval,
  now: number,
): Compared {
  const values = new Map(theirs.map(({ timestamp, value }) => [timestamp, value]))
  let count = 0
  const differences = points.flatMap(({ timestamp, value }): Difference[] => {
    if (value === null || isUnfinished(timestamp, interval, now)) return []
    count += 1
    const other = values.get(timestamp) ?? undefined
    return other !== undefined && isSame(value, other) ? [] : [{ timestamp, ours: value, theirs: other }]
  })
  return { count, differences }
}
