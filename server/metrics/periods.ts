import { periodStart, type TimeInterval } from '../../contract/metrics/intervals.ts'

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
    start = periodStart(start - 1, interval)
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
  let latest = periodStart(last, interval)
  if (endTimestamp !== undefined)
    latest = endTimestamp === 0 ? -1 : Math.min(latest, periodStart(endTimestamp - 1, interval))
  if (position !== undefined) latest = Math.min(latest, position)
  const start = periodStart(first, interval)
  return { latest, earliest: startTimestamp === undefined ? start : Math.max(start, startTimestamp + 1) }
}
