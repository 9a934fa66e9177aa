import {
  DAY,
  periodEnd,
  periodStart,
  type TimeInterval as Interval,
} from '../../contract/metrics/intervals.ts'

// Components and pure helpers don't know the contract and take its periods from here.
export { DAY, HOUR, periodEnd, periodStart, WEEK } from '../../contract/metrics/intervals.ts'
export type { TimeInterval as Interval } from '../../contract/metrics/intervals.ts'

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** The middle of the period that contains `time`: the position of the period's mark in a chart. */
export function periodMiddle(time: number, interval: Interval): number {
  return (periodStart(time, interval) + periodEnd(time, interval)) / 2
}

/** Whether the period that contains `time` has not ended at `now`. */
export function isUnfinished(time: number, interval: Interval, now: number): boolean {
  return periodEnd(time, interval) > now
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** "3 Nov 2025" */
export function dateText(time: number): string {
  const date = new Date(time * 1000)
  return `${date.getUTCDate()} ${monthName(time)} ${date.getUTCFullYear()}`
}

/** "Nov" */
export function monthName(time: number): string {
  return months[new Date(time * 1000).getUTCMonth()] ?? ''
}

/** "Mon" */
export function weekdayName(time: number): string {
  return weekdays[new Date(time * 1000).getUTCDay()] ?? ''
}

/** "14:00" */
export function clockText(time: number): string {
  const date = new Date(time * 1000)
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
}

/**
 * The label of the period that starts at `time`: "Mon 3 Nov 2025, whole week UTC". With `now`, an unfinished period
 * is marked, "Mon 3 Nov 2025, week so far, UTC", and one that begins later: "Mon 3 Nov 2025, week to come, UTC".
 */
export function periodLabel(time: number, interval: Interval, now?: number): string {
  const start = periodStart(time, interval)
  const open = now !== undefined && isUnfinished(start, interval, now)
  const state = now !== undefined && start > now ? 'to come' : 'so far'
  if (interval === 'month') {
    const name = `${monthName(start)} ${new Date(start * 1000).getUTCFullYear()}`
    return open ? `${name}, month ${state}, UTC` : `${name}, whole month UTC`
  }
  const day = `${weekdayName(start)} ${dateText(start)}`
  if (interval === 'hour') {
    const hours = `${clockText(start)}–${clockText(periodEnd(start, interval))}`
    return open ? `${day}, ${hours} ${state}, UTC` : `${day}, ${hours} UTC`
  }
  return open ? `${day}, ${interval} ${state}, UTC` : `${day}, whole ${interval} UTC`
}

/** "today so far", "this hour so far": the period that has not ended. */
export const soFar = (interval: Interval): string =>
  interval === 'day' ? 'today so far' : `this ${interval} so far`

/** What is dashed in a chart whose last period has not ended. */
export const dashedNote = (interval: Interval): string => `dashed: ${soFar(interval)}`

/** "3 Nov – 21 Nov 2025": the days from `from` (inclusive) to `to` (exclusive), UTC. */
export function rangeLabel(from: number, to: number): string {
  const last = Math.max(from, to - 1)
  const short = to - from <= 2 * DAY
  if (short) {
    const sameDay = periodStart(from, 'day') === periodStart(last, 'day')
    const end = sameDay ? clockText(to) : `${dateText(to)} ${clockText(to)}`
    return `${dateText(from)} ${clockText(from)} – ${end} UTC`
  }
  return `${dateText(from)} – ${dateText(last)} UTC`
}
