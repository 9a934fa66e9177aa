/** The lengths of a period, shortest first. All periods are UTC (docs/metrics.md). */
export const intervals = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof intervals)[number]

export const HOUR = 3600
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** Monday 29 December 1969 is four days before the epoch's Thursday. */
const MONDAY_OFFSET = 3 * DAY

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

function floorTo(time: number, step: number, offset = 0): number {
  return Math.floor((time + offset) / step) * step - offset
}

function monthStart(time: number, shift = 0): number {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + shift, 1) / 1000
}

/** The start of the period that contains `time` (Unix seconds): an hour, 0:00, a Monday, or the first of a month. */
export function periodStart(time: number, interval: Interval): number {
  switch (interval) {
    case 'hour':
      return floorTo(time, HOUR)
    case 'day':
      return floorTo(time, DAY)
    case 'week':
      return floorTo(time, WEEK, MONDAY_OFFSET)
    case 'month':
      return monthStart(time)
  }
}

/** The end of the period that contains `time`: the start of the next one. */
export function periodEnd(time: number, interval: Interval): number {
  const start = periodStart(time, interval)
  switch (interval) {
    case 'hour':
      return start + HOUR
    case 'day':
      return start + DAY
    case 'week':
      return start + WEEK
    case 'month':
      return monthStart(start, 1)
  }
}

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
