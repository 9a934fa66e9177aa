import {
  getAverageTps,
  getMetric,
  intervalsOf,
  metricsPageBounds,
  type MetricName,
  type MetricPoint,
  type TimeInterval,
} from '../../contract/metrics.ts'
import type { Chain } from '../chains.ts'
import { badRequest, unavailable } from '../errors.ts'
import { implement, JsonText, type Implementation } from '../http/bind.ts'
import { toJson } from '../http/json.ts'
import type { TokenScope } from '../http/page-tokens.ts'
import { combine, definitionOf, toNumber } from '../metrics/definitions.ts'
import { nextPeriod, periodStart, periodsDown } from '../metrics/periods.ts'
import { readEdges, readSeriesBounds } from '../store/read-metrics.ts'
import { checkRange, filtersOf, type RouteContext } from './context.ts'

type Asked = {
  readonly metric: MetricName
  readonly interval: TimeInterval
  readonly startTimestamp?: number | undefined
  readonly endTimestamp?: number | undefined
  readonly pageToken?: string | undefined
  readonly pageSize: number
}

type Page = {
  readonly nextPageToken?: string
  readonly results: MetricPoint[]
  /** The time of the newest block, 0 without one. */
  readonly newest: number
}

/** The metrics of a chain or of a group of chains (interface.md, Metrics operations). */
export function metricRoutes({ chains, store, hotPages }: RouteContext): Implementation[] {
  const readPage = async (wanted: readonly Chain[], asked: Asked, scope: TokenScope): Promise<Page> => {
    const { database, tokens } = store.get()
    const definition = definitionOf(asked.metric, asked.interval)
    const bounds = await Promise.all(wanted.map((chain) => readSeriesBounds(database, chain.key)))
    if (definition.traced) {
      const untraced = wanted.filter((_chain, index) => bounds[index]?.trace_source === 'none')
      if (untraced.length > 0) throw unavailable(noTraceSource(asked.metric, untraced))
    }
    const starts = bounds.flatMap(({ first_ts }) => (first_ts === null ? [] : [Number(first_ts)]))
    const newest = Math.max(0, ...bounds.map(({ last_ts }) => Number(last_ts ?? 0n)))
    if (starts.length === 0) return { results: [], newest }

    const { interval } = asked
    let latest = periodStart(interval, newest)
    if (asked.endTimestamp !== undefined) {
      latest = asked.endTimestamp === 0 ? -1 : Math.min(latest, periodStart(interval, asked.endTimestamp - 1))
    }
    let earliest = periodStart(interval, Math.min(...starts))
    if (asked.startTimestamp !== undefined) earliest = Math.max(earliest, asked.startTimestamp + 1)
    if (asked.pageToken !== undefined) {
      // An expired token is no error: the listing restarts (interface.md, Limits, 3).
      const position = tokens.openMetrics(scope, asked.pageToken)
      if (position !== undefined) latest = Math.min(latest, position)
    }
    const periods = periodsDown(interval, latest, earliest, asked.pageSize + 1)
    const shown = periods.slice(0, asked.pageSize)
    const next = periods[asked.pageSize]
    const [top] = shown
    if (top === undefined) return { results: [], newest }

    const times = [nextPeriod(interval, top), ...shown]
    const series = await Promise.all(
      wanted.map((chain) => readEdges(database, chain.key, definition.columns, times)),
    )
    const results = shown.map((start, index) => {
      const values = series.map(({ edges, first }) =>
        definition.value({ start, before: edges[index + 1], end: edges[index], first }),
      )
      return { value: toNumber(combine(definition.combine, values)), timestamp: start }
    })
    return {
      results,
      newest,
      ...(next !== undefined && { nextPageToken: tokens.sealMetrics(scope, next) }),
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
        const { nextPageToken, results } = await readPage(wanted, asked, scope)
        return toJson({ nextPageToken, results })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      return hotPages.get(JSON.stringify([scope, query.pageSize]), ids, page)
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
      return hotPages.get(JSON.stringify(scope), ids, page)
    }),
  ]
}

function noTraceSource(metric: MetricName, chains: readonly Chain[]): string {
  const names = chains.map((chain) => `${chain.id} ${chain.config.name}`).join(', ')
  return `no trace source: ${metric} is counted from traces, which the node of ${names} does not offer`
}
