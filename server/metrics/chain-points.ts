import type { MetricName } from '../../contract/metrics/catalogue.ts'
import { periodEnd, type TimeInterval } from '../../contract/metrics/intervals.ts'
import type { MetricPoint } from '../../contract/metrics/series.ts'
import type { Chain } from '../kernel/settings/chains.ts'
import { unavailable } from '../kernel/http-errors.ts'
import type { Queryable } from '../store/database.ts'
import { readUnknownTimes } from '../store/evm/read-trace-gaps.ts'
import { readSeriesBounds } from '../store/metrics/read-metrics.ts'
import { isTraced, toNumber, tracedSpan } from './definitions.ts'
import { askedPeriods, periodsDown, type AskedPeriods } from './periods.ts'
import { readSeries, type KeptMedians } from './series.ts'

/** The points of a metric that are asked for, at most `pageSize` of them. */
export type AskedPoints = AskedPeriods & { readonly metric: MetricName; readonly pageSize: number }

type UnknownPeriod = { startTimestamp: number; readonly endTimestamp: number }

/** Points of a metric, latest first. */
export type PointsPage = {
  /** The start of the period after which the next page begins; undefined on the last page. */
  readonly next?: number
  readonly results: MetricPoint[]
  /** Periods without a point because of untraced blocks. */
  readonly unknownPeriods?: UnknownPeriod[]
  /** The time of the newest block, 0 without one. */
  readonly newest: number
}

/**
 * Reads points of a chain, or of several combined (docs/api.md, Metrics). Throws a 503 if no period of the range can
 * be counted, because its blocks are not traced.
 */
export async function readChainPoints(
  database: Queryable,
  wanted: readonly Chain[],
  asked: AskedPoints,
  medians: KeptMedians,
): Promise<PointsPage> {
  const bounds = await Promise.all(wanted.map((chain) => readSeriesBounds(database, chain.key)))
  const starts = bounds.flatMap(({ first_ts }) => (first_ts === null ? [] : [Number(first_ts)]))
  const newest = Math.max(0, ...bounds.map(({ last_ts }) => Number(last_ts ?? 0n)))
  if (starts.length === 0) return { results: [], newest }

  const { interval } = asked
  const { latest, earliest } = askedPeriods(asked, Math.min(...starts), newest)
  const traced = tracedSpan(asked.metric)
  const untraced = traced
    ? await Promise.all(wanted.map((chain) => readUnknownTimes(database, chain.key)))
    : []
  const unknown = untraced.flat()
  const all = periodsDown(interval, latest, earliest, unknown.length > 0 ? Infinity : asked.pageSize + 1)
  const periods = traced
    ? all.filter((start) => isTraced(traced, start, periodEnd(start, interval), unknown, Math.min(...starts)))
    : all
  if (all.length > 0 && periods.length === 0) {
    const lacking = wanted.filter((_chain, index) => (untraced[index]?.length ?? 0) > 0)
    throw unavailable(notTraced(asked.metric, lacking))
  }
  const values = await readSeries(
    database,
    {
      chains: wanted.map((chain) => chain.key),
      metric: asked.metric,
      interval,
      starts: periods.slice(0, asked.pageSize),
    },
    medians,
  )
  if (values.length === 0) return { results: [], newest }
  const next = periods[values.length]
  return {
    results: values.map((value, index) => ({ value: toNumber(value), timestamp: periods[index] ?? 0 })),
    newest,
    ...(next !== undefined && { next }),
    ...(periods.length < all.length && { unknownPeriods: spansOf(interval, all, periods) }),
  }
}

/** The periods of `all` that are missing from `known`, with consecutive ones merged; all latest first. */
function spansOf(interval: TimeInterval, all: readonly number[], known: readonly number[]): UnknownPeriod[] {
  const found = new Set(known)
  const spans: UnknownPeriod[] = []
  for (const start of all) {
    if (found.has(start)) continue
    const end = periodEnd(start, interval)
    const later = spans.at(-1)
    if (later?.startTimestamp === end) later.startTimestamp = start
    else spans.push({ startTimestamp: start, endTimestamp: end })
  }
  return spans
}

function notTraced(metric: MetricName, chains: readonly Chain[]): string {
  const names = chains.map((chain) => `${chain.id} ${chain.config.name}`).join(', ')
  return `not traced: ${metric} is counted from traces, which the node of ${names} could not give for blocks in or before these periods`
}
