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

function monthStart(time: number, later: number): number {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later, 1) / 1000
}
