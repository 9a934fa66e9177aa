import { formatInteger } from '../amounts.ts'
import { DAY, HOUR, periodStart } from '../../../charts/series/periods.ts'
import type { SeriesPoint } from '../../../charts/series/series.ts'

/** Fewer days of a weekday than this have no mean that could be called usual. */
const leastWeeks = 4
/** The latest so many days of a weekday are the usual ones. */
const mostWeeks = 12

/** The counts of the 24 whole hours that ended at `to` (Unix seconds). */
export type LastDay = { readonly to: number; readonly count: number }

/** The last 24 hours of a count beside the mean of the same weekday. */
export type Usual = LastDay & {
  /** The weekday that holds the middle of the 24 hours: "Sunday". */
  readonly weekday: string
  /** How many days of this weekday are in the mean. */
  readonly weeks: number
  readonly mean: number
  /** The difference as a share of the mean (0.18 is 18 % more); null when the mean is 0. */
  readonly relative: number | null
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

const weekdayOf = (time: number): string => weekdays[new Date(time * 1000).getUTCDay()] ?? ''

/** A count that is given as points of whole periods of one chain, oldest first. */
export type Counts = {
  /** By hour, at least of the last 25 hours. */
  readonly hours: readonly SeriesPoint[]
  /** By day, UTC. */
  readonly days: readonly SeriesPoint[]
}

/**
 * The sum of several series at each timestamp. A series that lacks a timestamp had nothing to count then; where one
 * has an unknown value, the sum is unknown too.
 */
export function summed(list: readonly (readonly SeriesPoint[])[]): SeriesPoint[] {
  const sums = new Map<number, number | null>()
  for (const points of list)
    for (const { timestamp, value } of points) {
      const before = sums.get(timestamp) ?? 0
      const unknown = value === null || sums.get(timestamp) === null
      sums.set(timestamp, unknown ? null : before + Number(value))
    }
  return [...sums]
    .map(([timestamp, value]) => ({ timestamp, value }))
    .sort((a, b) => a.timestamp - b.timestamp)
}

/**
 * The count of the 24 whole hours up to the start of the hour of `now`. Hours without a point count nothing: a series
 * begins with the first block of its chain and ends at the head (docs/metrics.md). Null without any hour, and when an
 * hour is unknown.
 */
export function lastDay(hours: readonly SeriesPoint[], now: number): LastDay | null {
  const to = periodStart(now, 'hour')
  const within = hours.filter(({ timestamp }) => timestamp >= to - DAY && timestamp < to)
  if (hours.length === 0 || within.some(({ value }) => value === null)) return null
  return { to, count: within.reduce((sum, { value }) => sum + Number(value), 0) }
}

/**
 * The last 24 hours against the mean of the same weekday: of the latest twelve such days that ended before the 24
 * hours began. Null when the last 24 hours are unknown, or with fewer than four such days.
 */
export function againstUsual({ hours, days }: Counts, now: number): Usual | null {
  const last = lastDay(hours, now)
  if (last === null) return null
  const weekday = weekdayOf(last.to - DAY / 2 - HOUR / 2)
  const same = days
    .filter(
      ({ timestamp, value }) =>
        value !== null && timestamp + DAY <= last.to - DAY && weekdayOf(timestamp) === weekday,
    )
    .slice(-mostWeeks)
  if (same.length < leastWeeks) return null
  const mean = same.reduce((sum, { value }) => sum + Number(value), 0) / same.length
  return { ...last, weekday, weeks: same.length, mean, relative: mean === 0 ? null : last.count / mean - 1 }
}

/** "18 %", "6.2 %": a share without its sign, whole from 10 % on; empty when it rounds to nothing. */
function shareText(relative: number): string {
  const percent = Math.abs(relative) * 100
  const text = percent >= 10 ? formatInteger(Math.round(percent)) : percent.toFixed(1).replace(/\.0$/, '')
  return text === '0' ? '' : `${text} %`
}

/** "18 % above the mean Sunday", "the same as the mean Sunday"; how many days it is the mean of stands elsewhere. */
export function usualWords({ relative, weekday, count }: Usual): string {
  if (relative === null)
    return count === 0 ? `none, as on the mean ${weekday}` : `the mean ${weekday} has none`
  const share = shareText(relative)
  if (share === '') return `as on the mean ${weekday}`
  return `${share} ${relative > 0 ? 'above' : 'below'} the mean ${weekday}`
}
