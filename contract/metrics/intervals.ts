/** The intervals of series, shortest first; each metric defines which it supports (docs/metrics.md). */
export const timeIntervals = ['hour', 'day', 'week', 'month'] as const
export type TimeInterval = (typeof timeIntervals)[number]

export const HOUR = 3600
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/** The epoch was a Thursday, three days after a Monday. */
const MONDAY_OFFSET = 3 * DAY

function floorTo(time: number, step: number, offset = 0): number {
  return Math.floor((time + offset) / step) * step - offset
}

function monthStart(time: number, shift = 0): number {
  const date = new Date(time * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + shift, 1) / 1000
}

/**
 * The start of the period that contains `time`, which is also the timestamp of its point: the hour, 0:00 of the
 * day, of the Monday, or of the first of the month. Both are Unix seconds; periods are UTC.
 */
export function periodStart(time: number, interval: TimeInterval): number {
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
export function periodEnd(time: number, interval: TimeInterval): number {
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
