import { intervalsOf, type MetricName } from '../../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import { getAverageTps, getMetric } from '../../../contract/metrics/metrics.ts'
import { metricsPageBounds, type MetricPoint } from '../../../contract/metrics/series.ts'
import type { Chain } from '../../kernel/chains.ts'
import { badRequest, unavailable } from '../../kernel/http-errors.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import type { PageTokenScope } from '../../kernel/page-tokens.ts'
import { isTraced, toNumber, tracedSpan } from '../../metrics/definitions.ts'
import { askedPeriods, nextPeriod, periodsDown } from '../../metrics/periods.ts'
import { KeptMedians, readSeries } from '../../metrics/series.ts'
import { readSeriesBounds } from '../../store/metrics/read-metrics.ts'
import { readUnknownTimes } from '../../store/evm/read-trace-gaps.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'

type Asked = {
  readonly metric: MetricName
  readonly interval: TimeInterval
  readonly startTimestamp?: number | undefined
  readonly endTimestamp?: number | undefined
  readonly pageToken?: string | undefined
  readonly pageSize: number
}

type UnknownPeriod = { startTimestamp: number; readonly endTimestamp: number }

type Page = {
  readonly nextPageToken?: string
  readonly results: MetricPoint[]
  /** Periods without a point because of untraced blocks. */
  readonly unknownPeriods?: UnknownPeriod[]
  /** The time of the newest block, 0 without one. */
  readonly newest: number
}

/** The metrics of a chain or a group of chains (docs/api.md, Metrics). */
export function metricRoutes({ chains, store, headCache }: RouteContext): Implementation[] {
  const medians = new KeptMedians()
  const readPage = async (wanted: readonly Chain[], asked: Asked, scope: PageTokenScope): Promise<Page> => {
    const { database, pageTokens } = store.get()
    const bounds = await Promise.all(wanted.map((chain) => readSeriesBounds(database, chain.key)))
    const starts = bounds.flatMap(({ first_ts }) => (first_ts === null ? [] : [Number(first_ts)]))
    const newest = Math.max(0, ...bounds.map(({ last_ts }) => Number(last_ts ?? 0n)))
    if (starts.length === 0) return { results: [], newest }

    const { interval } = asked
    // An expired page token is not an error: the listing restarts (docs/api.md, Keys and limits).
    const position =
      asked.pageToken === undefined ? undefined : pageTokens.openMetrics(scope, asked.pageToken)
    const { latest, earliest } = askedPeriods({ ...asked, position }, Math.min(...starts), newest)
    const traced = tracedSpan(asked.metric)
    const untraced = traced
      ? await Promise.all(wanted.map((chain) => readUnknownTimes(database, chain.key)))
      : []
    const unknown = untraced.flat()
    const all = periodsDown(interval, latest, earliest, unknown.length > 0 ? Infinity : asked.pageSize + 1)
    const periods = traced
      ? all.filter((start) =>
          isTraced(traced, start, nextPeriod(interval, start), unknown, Math.min(...starts)),
        )
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
    const results = values.map((value, index) => ({
      value: toNumber(value),
      timestamp: periods[index] ?? 0,
    }))
    return {
      results,
      newest,
      ...(next !== undefined && { nextPageToken: pageTokens.sealMetrics(scope, next) }),
      ...(periods.length < all.length && { unknownPeriods: spansOf(interval, all, periods) }),
    }
  }

  return [
    implement(getMetric, async ({ params, query }) => {
      const { metric } = params
      const allowed = intervalsOf(metric)
      if (!allowed.includes(query.timeInterval)) {
        throw badRequest([`timeInterval: ${metric} supports ${allowed.join(', ')} only`])
      }
      checkRange(query)
      const { chains: wanted, group } = chains.group(params.chainId)
      const ids = wanted.map((chain) => chain.id)
      const scope = {
        operation: getMetric.id,
        filters: filtersOf({ metric, chainId: group ?? ids[0] }, query),
      }
      const page = async (): Promise<string> => {
        const asked = { ...query, metric, interval: query.timeInterval }
        const { nextPageToken, results, unknownPeriods } = await readPage(wanted, asked, scope)
        return toJson({ nextPageToken, results, unknownPeriods })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      return headCache.get(JSON.stringify([scope, query.pageSize]), ids, page)
    }),

    implement(getAverageTps, async ({ params, query }) => {
      const { chains: wanted, group } = chains.group(params.chainId)
      const ids = wanted.map((chain) => chain.id)
      const scope = { operation: getAverageTps.id, filters: { chainId: group ?? ids[0] } }
      const page = async (): Promise<string> => {
        const { newest, ...rest } = await readPage(
          wanted,
          { ...query, metric: 'avgTps', interval: 'day', pageSize: metricsPageBounds.default },
          scope,
        )
        return toJson({ ...rest, status: 200, lastRun: newest })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      return headCache.get(JSON.stringify(scope), ids, page)
    }),
  ]
}

/** The periods of `all` that are missing from `known`, with consecutive ones merged; all latest first. */
function spansOf(interval: TimeInterval, all: readonly number[], known: readonly number[]): UnknownPeriod[] {
  const found = new Set(known)
  const spans: UnknownPeriod[] = []
  for (const start of all) {
    if (found.has(start)) continue
    const end = nextPeriod(interval, start)
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
