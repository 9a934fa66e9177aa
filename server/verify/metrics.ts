import { intervalsOf, metricNames } from '../../contract/metrics/catalogue.ts'
import { periodEnd } from '../../contract/metrics/intervals.ts'
import { isTraced, nothing, tracedSpan, type Fraction } from '../metrics/definitions.ts'
import { KeptMedians, readSeries } from '../metrics/series.ts'
import type { Database } from '../store/database.ts'
import { readSeriesBounds } from '../store/metrics/read-metrics.ts'
import { readUnknownTimes } from '../store/evm/read-trace-gaps.ts'
import type { Findings } from './findings.ts'
import type { Recount } from './recount.ts'

/**
 * Compares every metric at every supported interval, as read by the service, with the recount. Returns the
 * number of compared values.
 */
export async function compareMetrics(
  database: Database,
  chain: bigint,
  recount: Recount,
  findings: Findings,
): Promise<number> {
  const bounds = await readSeriesBounds(database, chain)
  const days = recount.periods('day')
  if (days.length > 0 && Number(bounds.last_ts) < (days.at(-1) ?? 0))
    findings.add('I6', 'the series end too early')
  const unknown = await readUnknownTimes(database, chain)
  const medians = new KeptMedians()
  let compared = 0
  for (const metric of metricNames) {
    const traced = tracedSpan(metric)
    for (const interval of intervalsOf(metric)) {
      const series = recount
        .series(metric, interval)
        .filter(
          ({ start }) =>
            !traced ||
            isTraced(traced, start, periodEnd(start, interval), unknown, Number(bounds.first_ts ?? 0n)),
        )
      const values: Fraction[] = []
      while (values.length < series.length) {
        const starts = series.slice(values.length).map(({ start }) => start)
        values.push(...(await readSeries(database, { chains: [chain], metric, interval, starts }, medians)))
      }
      for (const [index, { start, figure }] of series.entries()) {
        const value = values[index] ?? nothing
        const equal =
          figure.per === 0n || value.per === 0n
            ? figure.per === value.per
            : figure.amount * value.per === value.amount * figure.per
        compared += 1
        if (!equal) {
          findings.add(
            'I6',
            `${metric} by ${interval} at ${start} is ${value.amount}/${value.per}, counted ${figure.amount}/${figure.per}`,
          )
        }
      }
    }
  }
  return compared
}
