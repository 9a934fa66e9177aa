/** Starts of the four metric periods, in Unix seconds UTC (docs/metrics.md). */

/** Start of the hour that contains a time. */
export function hourStart(ts: number): number {
  return ts - (ts % 3_600)
}

/** 0:00 UTC of the day. */
export function dayStart(ts: number): number {
  return ts - (ts % 86_400)
}

/** 0:00 UTC of the Monday; 1 January 1970 was a Thursday. */
export function weekStart(ts: number): number {
  return ts - ((ts + 259_200) % 604_800)
}

/** 0:00 UTC of the first day of the month. */
export function monthStart(ts: number): number {
  const date = new Date(ts * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
}
