import { DAY, periodEnd, periodStart, type TimeInterval } from '../../../contract/metrics/intervals.ts'
import { listLargestTraffic } from '../../../contract/metrics/largest-traffic.ts'
import { listChainTraffic, trafficDays } from '../../../contract/metrics/traffic.ts'
import { maxSeries } from '../../../contract/metrics/view.ts'
import type { MetricPoint } from '../../../contract/metrics/series.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { checkRange, filtersOf, type RouteContext } from '../../http/route-context.ts'
import { readChainPoints } from '../../metrics/chain-points.ts'
import { toNumber } from '../../metrics/definitions.ts'
import { askedPeriods, periodsDown, type AskedPeriods } from '../../metrics/periods.ts'
import { KeptMedians, readSeries } from '../../metrics/series.ts'
import { readEdges, readSeriesBounds } from '../../store/metrics/read-metrics.ts'
import type { Queryable } from '../../store/database.ts'
import { ofNetwork } from '../evm/chains.ts'

/** `/v1/traffic`: Ridgeline's own operation for the transactions of all chains over time. */
export function trafficRoutes({ chains, store, headCache, clock }: RouteContext): Implementation[] {
  const medians = new KeptMedians()
  return [
    implement(listChainTraffic, ({ query }) => {
      const wanted = ofNetwork(chains, query.network)
      const now = clock()
      const hoursFrom = periodStart(now, 'hour') - DAY
      const daysFrom = periodStart(now - trafficDays * DAY, 'day')
      const read = async (chain: Chain, interval: 'hour' | 'day', from: number) => {
        const asked = {
          metric: 'txCount',
          interval,
          startTimestamp: from - 1,
          pageSize: trafficDays + 1,
        } as const
        const { results } = await readChainPoints(store.get().database, [chain], asked, medians)
        return results
      }
      const ids = wanted.map((chain) => chain.id)
      return headCache.get(JSON.stringify([listChainTraffic.id, ids, hoursFrom]), ids, async () =>
        toJson({
          chains: await Promise.all(
            wanted.map(async (chain) => ({
              chainId: chain.id,
              hours: await read(chain, 'hour', hoursFrom),
              days: await read(chain, 'day', daysFrom),
            })),
          ),
        }),
      )
    }),

    implement(listLargestTraffic, async ({ query }) => {
      checkRange(query)
      const wanted = ofNetwork(chains, query.network)
      const ids = wanted.map((chain) => chain.id)
      const scope = { operation: listLargestTraffic.id, filters: filtersOf({ chainId: ids.join() }, query) }
      const page = async (): Promise<string> => {
        const { database, pageTokens } = store.get()
        const position =
          query.pageToken === undefined ? undefined : pageTokens.openMetrics(scope, query.pageToken)
        const asked = { ...query, interval: query.timeInterval, position }
        const { next, ...found } = await largestOf(database, wanted, asked, medians)
        return toJson({
          ...found,
          ...(next !== undefined && { nextPageToken: pageTokens.sealMetrics(scope, next) }),
        })
      }
      if (query.pageToken !== undefined) return new JsonText(await page())
      return headCache.get(JSON.stringify([scope, query.pageSize]), ids, page)
    }),
  ]
}

/** The transactions of the chains with the most in the range, and of the others together. */
async function largestOf(
  database: Queryable,
  wanted: readonly Chain[],
  asked: AskedPeriods & { readonly pageSize: number },
  medians: KeptMedians,
) {
  const { interval, position, pageSize } = asked
  const known = await Promise.all(
    wanted.map(async (chain) => {
      const { first_ts: first, last_ts: last } = await readSeriesBounds(database, chain.key)
      return { chain, first: first === null ? Infinity : Number(first), last: Number(last ?? -1n) }
    }),
  )
  const [first, last] = [
    Math.min(...known.map((one) => one.first)),
    Math.max(...known.map((one) => one.last)),
  ]
  if (!Number.isFinite(first)) return { chains: [] }
  const whole = askedPeriods({ ...asked, position: undefined }, first, last)
  const latest = position === undefined ? whole.latest : Math.min(whole.latest, position)
  const periods = periodsDown(interval, latest, whole.earliest, pageSize + 1)
  const starts = periods.slice(0, pageSize)
  const sums = await Promise.all(known.map(({ chain }) => sumOf(database, chain, interval, whole)))
  const bySize = known
    .map((one, index) => ({ one, sum: sums[index] ?? 0n }))
    .toSorted((a, b) => (a.sum === b.sum ? 0 : a.sum < b.sum ? 1 : -1))
    .map(({ one }) => one)
  const largest = new Set(bySize.slice(0, maxSeries))
  const others = known.filter((one) => !largest.has(one))
  /** What some chains counted in the periods from their first block to their newest. */
  const pointsOf = async (of: typeof known): Promise<MetricPoint[]> => {
    const from = periodStart(Math.min(...of.map((one) => one.first)), interval)
    const to = Math.max(...of.map((one) => one.last))
    const own = starts.filter((start) => start >= from && start <= to)
    const keys = of.map(({ chain }) => chain.key)
    const values = await readSeries(
      database,
      { chains: keys, metric: 'txCount', interval, starts: own },
      medians,
    )
    return values.map((value, index) => ({ value: toNumber(value), timestamp: own[index] ?? 0 }))
  }
  const next = periods[pageSize]
  return {
    chains: await Promise.all(
      known
        .filter((one) => largest.has(one))
        .map(async (one) => ({ chainId: one.chain.id, points: await pointsOf([one]) })),
    ),
    ...(others.length > 0 && { others: { chainCount: others.length, points: await pointsOf(others) } }),
    ...(next !== undefined && { next }),
  }
}

/** The transactions of a chain in the periods of a range. */
async function sumOf(
  database: Queryable,
  { key }: Chain,
  interval: TimeInterval,
  { earliest, latest }: ReturnType<typeof askedPeriods>,
): Promise<bigint> {
  const from = earliest > 0 ? periodEnd(periodStart(earliest - 1, interval), interval) : 0
  const { edges } = await readEdges(database, key, ['cum_txs'], [from, periodEnd(latest, interval)])
  const [before, end] = edges.map((edge) => BigInt(edge?.cum_txs ?? 0))
  return (end ?? 0n) - (before ?? 0n)
}
