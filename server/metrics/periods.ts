import type { TimeInterval } from '../../contract/metrics/intervals.ts'

const hour = 3_600
const day = 86_400
const week = 604_800
// The epoch was a Thursday, so its week began three days earlier.
const mondayOffset = 259_200

/**
 * The start of the period that contains a time, both in Unix seconds UTC (docs/metrics.md): the hour, 0:00 of
 * the day, of the Monday, or of the first day of the month.
 */
export function periodStart(interval: TimeInterval, time: number): number {
  switch (interval) {
    case 'hour':
      return time - (time % hour)
    case 'day':
      return time - (time % day)
    case 'week':
      return time - ((time + mondayOffset) % week)
    case 'month':
      return monthStart(time, 0)
  }
}

/** The start of the period after the one that starts at `start`. */
export function nextPeriod(interval: TimeInterval, start: number): number {
  switch (interval) {
    case 'hour':
      return start + hour
    case 'day':
      return start + day
    case 'week':
      return start + week
    case 'month':
      return monthStart(start, 1)
  }
}

/** The starts of periods from the one at `latest` down to the one at `earliest`, at most `limit`. */
export function periodsDown(
  interval: TimeInterval,
  latest: number,
  earliest: number,
  limit: number,
): number[] {
  const starts: number[] = []
  let start = latest
  while (start >= earliest && starts.length < limit) {
    starts.push(start)
    start = periodStart(interval, start - 1)
    if (start < 0) break
  }
  return starts
}

/** The part of a series that a request asks for. */
export type AskedPeriods = {
  readonly interval: TimeInterval
  /** Both exclusive, in Unix seconds, as in the requests. */
  readonly startTimestamp?: number | undefined
  readonly endTimestamp?: number | undefined
  /** The latest period of the page, from its page token. */
  readonly position?: number | undefined
}

/**
 * The starts of the latest and the earliest of the asked periods of a series whose first and last values are at
 * `first` and `last`. There is no period if the latest is before the earliest.
 */
export function askedPeriods(
  { interval, startTimestamp, endTimestamp, position }: AskedPeriods,
  first: number,
  last: number,
): { readonly latest: number; readonly earliest: number } {
  let latest = periodStart(interval, last)
  if (endTimestamp !== undefined)
    latest = endTimestamp === 0 ? -1 : Math.min(latest, periodStart(interval, endTimestamp - 1))
  if (position !== undefined) latest = Math.min(latest, position)
  const start = periodStart(interval, first)
  return { latest, earliest: startTimestamp === undefined ? start : Math.max(start, startTimestamp + 1) }
}

function monthStart(time: number, later: number): number {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / 1000
}
