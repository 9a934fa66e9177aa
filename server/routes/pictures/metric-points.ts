import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import { networkMetricEntry, type NetworkMetricName } from '../../../contract/metrics/network-catalogue.ts'
import { maxPeriods } from '../../../contract/pictures/form.ts'
import { metricsPageBounds, type MetricPoint } from '../../../contract/metrics/series.ts'
import type { Owner, SeriesDefinition } from '../../../charts/catalogue/definition.ts'
import { DAY, HOUR, periodStart, WEEK, type Interval } from '../../../charts/series/periods.ts'
import type { TimeRange } from '../../../charts/series/range.ts'
import { ascending, within, type SeriesPoint } from '../../../charts/series/series.ts'
import { primaryTopic } from '../../events/hub.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { badRequest } from '../../kernel/http-errors.ts'
import { readChainPoints } from '../../metrics/chain-points.ts'
import { readNetworkPoints } from '../../metrics/network-points.ts'
import type { KeptMedians } from '../../metrics/series.ts'
import { primaryChainKey } from '../../primary/chains.ts'
import { findNetwork } from '../../primary/served-network.ts'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import { snapshot } from '../../store/snapshot.ts'

/** A series of a picture, and the chain, group of chains or network that it is of. */
export type PictureSeries = {
  readonly kind: 'chain' | 'network'
  readonly owner: Owner
  readonly info: SeriesDefinition
}

type Page = { readonly next?: number; readonly results: readonly MetricPoint[] }
type AskedPage = {
  readonly interval: Interval
  readonly startTimestamp: number | undefined
  readonly endTimestamp: number
  readonly position: number | undefined
  readonly pageSize: number
}

/** The shortest length of a period in seconds. */
const lengths: Readonly<Record<Interval, number>> = { hour: HOUR, day: DAY, week: WEEK, month: 28 * DAY }

function tooMany(interval: Interval): Error {
  const count = maxPeriods.toLocaleString('en')
  return badRequest([
    `interval: more than ${count} ${interval}s are in the range; choose a longer interval or a shorter range`,
  ])
}

/** Throws a 400 for a range of more periods than a picture may have. A range without a start is checked as it is read. */
export function checkPeriods({ from, to }: TimeRange, interval: Interval): void {
  if (from !== null && (to - from) / lengths[interval] > maxPeriods) throw tooMany(interval)
}

/** Reads all pages of a range, and returns their points oldest first. */
async function readPages(
  range: TimeRange,
  first: number | null,
  interval: Interval,
  read: (asked: AskedPage) => Promise<Page>,
): Promise<SeriesPoint[]> {
  const points: MetricPoint[] = []
  let position: number | undefined
  do {
    const { next, results } = await read({
      interval,
      startTimestamp: first === null ? undefined : first - 1,
      endTimestamp: range.to,
      position,
      pageSize: metricsPageBounds.max,
    })
    points.push(...results)
    if (points.length > maxPeriods + 1) throw tooMany(interval)
    position = next
  } while (position !== undefined)
  return ascending(points)
}

/**
 * Reads the points of a series, oldest first: its metrics as the API answers them, and what is derived from them as on
 * pages. Throws a 404 for an unknown chain or network, a 400 for too many periods, and a 503 for a metric of blocks
 * that are not traced.
 */
export async function readPicturePoints(
  { chains, store, config }: RouteContext,
  medians: KeptMedians,
  { kind, owner, info }: PictureSeries,
  range: TimeRange,
  interval: Interval,
): Promise<readonly SeriesPoint[]> {
  const { database } = store.get()
  const first = range.from !== null && info.looksBack ? periodStart(range.from - 1, interval) : range.from
  const ingredients = await Promise.all(
    info.needs.map(({ metric, of }) =>
      readPages(range, first, interval, (asked) => {
        if (kind === 'chain') {
          const wanted = chains.group(of === 'total' ? of : owner.chainId).chains
          // The catalogue of chains names metrics of chains only, that of networks those of networks.
          return readChainPoints(database, wanted, { ...asked, metric: metric as MetricName }, medians)
        }
        const name = metric as NetworkMetricName
        const chain = primaryChainKey(findNetwork(config, owner.chainId).id, networkMetricEntry(name).chain)
        return snapshot(database, (sql) => readNetworkPoints(sql, chain, { ...asked, metric: name }))
      }),
    ),
  )
  return within(info.make(ingredients, interval), range.from ?? 0, range.to)
}

/** The topics (events/hub.ts) whose changes may change a series. */
export function topicsOfSeries({ chains }: Pick<RouteContext, 'chains'>, series: PictureSeries): string[] {
  const { kind, owner, info } = series
  if (kind === 'network') return primaryChainAliases.map((alias) => primaryTopic(owner.chainId, alias))
  const ids = info.needs.map(({ of }) => (of === 'total' ? of : owner.chainId))
  return [...new Set(ids.flatMap((id) => chains.group(id).chains.map((chain) => chain.id)))]
}
