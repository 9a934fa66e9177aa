import { rangePresets, type RangePreset } from '../../contract/metrics/view.ts'
import { DAY, periodEnd, periodStart, rangeLabel, type Interval } from './periods.ts'

export const presetLabels: Readonly<Record<RangePreset, string>> = {
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
  '90d': '90 d',
  all: 'All',
}

const spans: Readonly<Record<Exclude<RangePreset, 'all'>, number>> = {
  '24h': DAY,
  '7d': 7 * DAY,
  '30d': 30 * DAY,
  '90d': 90 * DAY,
}

/** What the URL says of the range: a preset, or Unix seconds from (inclusive) to (exclusive). */
export type RangeChoice = { readonly preset: RangePreset } | { readonly from: number; readonly to: number }

/** Unix seconds; null `from` means from the beginning. */
export type TimeRange = { readonly from: number | null; readonly to: number }

export const defaultRange: RangeChoice = { preset: '90d' }

function wholeSeconds(text: string | null): number | null {
  if (text === null || !/^\d{1,12}$/.test(text)) return null
  return Number(text)
}

/**
 * Reads `range`, or `from` and `to`, from a URL's query. A range that makes no sense (unknown word,
 * not a time, empty or reversed) is the default one: a link that was cut still shows a chart.
 */
export function readRange(params: URLSearchParams, fallback: RangeChoice = defaultRange): RangeChoice {
  const from = wholeSeconds(params.get('from'))
  const to = wholeSeconds(params.get('to'))
  if (from !== null && to !== null && to > from) return { from, to }
  const preset = rangePresets.find((name) => name === params.get('range'))
  return preset === undefined ? fallback : { preset }
}

/** Writes a range into a copy of the query; the default is omitted. */
export function writeRange(
  params: URLSearchParams,
  choice: RangeChoice,
  fallback: RangeChoice = defaultRange,
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const key of ['range', 'from', 'to']) next.delete(key)
  if ('preset' in choice) {
    if (!('preset' in fallback) || fallback.preset !== choice.preset) next.set('range', choice.preset)
  } else {
    next.set('from', String(choice.from))
    next.set('to', String(choice.to))
  }
  return next
}

/**
 * The time range of a choice at `now`, widened to whole periods, so that the first and last period
 * are complete and the answer stays the same within a period (it is part of a query's key).
 */
export function resolveRange(choice: RangeChoice, interval: Interval, now: number): TimeRange {
  if (!('preset' in choice)) {
    return { from: periodStart(choice.from, interval), to: periodEnd(choice.to - 1, interval) }
  }
  const to = periodEnd(now, interval)
  if (choice.preset === 'all') return { from: null, to }
  return { from: periodStart(now - spans[choice.preset], interval), to }
}

/** The interval that shows a range best when none was chosen: hours up to a week, else days. */
export function naturalInterval(choice: RangeChoice): Interval {
  if ('preset' in choice) return choice.preset === '24h' || choice.preset === '7d' ? 'hour' : 'day'
  return choice.to - choice.from <= 8 * DAY ? 'hour' : 'day'
}

/** "24 h", or the dates of a range that was picked on a chart. */
export function describeRange(choice: RangeChoice): string {
  return 'preset' in choice ? presetLabels[choice.preset] : rangeLabel(choice.from, choice.to)
}
