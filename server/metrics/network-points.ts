import { periodEnd } from '../../contract/metrics/intervals.ts'
import type { NetworkMetricName } from '../../contract/metrics/network-catalogue.ts'
import type { MetricPoint } from '../../contract/metrics/series.ts'
import type { Queryable } from '../store/database.ts'
import { toNumber } from './definitions.ts'
import { readNetworkRange, readNetworkSeries } from './network-series.ts'
import { askedPeriods, periodsDown, type AskedPeriods } from './periods.ts'

/** The points of a metric of a network that are asked for, at most `pageSize` of them. */
type AskedNetworkPoints = AskedPeriods & {
  readonly metric: NetworkMetricName
  readonly pageSize: number
}

/**
 * Reads points of a network, latest first, and the start of the period after which the next page begins. `chain` is
 * the store's key of the metric's chain. The reads have to see one snapshot.
 */
export async function readNetworkPoints(
  sql: Queryable,
  chain: number,
  asked: AskedNetworkPoints,
): Promise<{ readonly next?: number; readonly results: MetricPoint[] }> {
  const { interval, metric, pageSize } = asked
  const range = await readNetworkRange(sql, chain, metric)
  if (range === undefined) return { results: [] }
  const { latest, earliest } = askedPeriods(asked, range.first, range.last)
  const starts = periodsDown(interval, latest, earliest, pageSize + 1)
  const next = starts[pageSize]
  const shown = starts.slice(0, pageSize)
  if (shown[0] === undefined) return { results: [] }
  const end = Math.min(periodEnd(shown[0], interval), range.last + 1)
  const values = await readNetworkSeries(sql, chain, metric, [...shown.toReversed(), end])
  return {
    ...(next !== undefined && { next }),
    // A period without a sample has no point.
    results: values
      .toReversed()
      .flatMap((value, index) =>
        value === null ? [] : [{ value: toNumber(value), timestamp: shown[index] ?? 0 }],
      ),
  }
}
